import type { FastifyRequest } from 'fastify';
import { html, type Html } from '../text/html.ts';
import { baseUrlOf } from './paths.ts';
import { copyable } from './words.ts';

/** What has been done to a task, in the address of the page behind that; whatever is none has saved it. */
const done: Record<string, string> = {
	copy: 'This is a copy, with a task ID of its own. Nothing that uses the other task changes.',
	renamed: 'The task is renamed. Its task ID stays, so n8n finds it as before.',
};
const saved = 'The task is saved. Batches that start from now on use it.';

/** Says on the page behind a "Save" what is done, and gives what n8n needs of the task. */
export function savedNotice(request: FastifyRequest, taskID: string, what: unknown): Html {
	return html`<div class="notice good" role="status">
		<p>${(typeof what === 'string' && done[what]) || saved}</p>
		<p>Task ID for n8n: ${copyable(taskID, 'the task ID for n8n')}</p>
		${useInN8n(request)}
	</div>`;
}

/** The way from a task to a workflow, in the names that n8n shows. */
export function useInN8n(request: FastifyRequest): Html {
	return html`<details>
		<summary>Use it in n8n</summary>
		<ol>
			<li>
				In n8n, create a credential of the type <b>Cloud Scraping API</b>, once for all tasks. Its
				base URL is ${copyable(baseUrlOf(request), 'the base URL')}; create its API key on the page
				<a href="/console/keys" target="_blank">Keys</a>.
			</li>
			<li>
				Add the node <b>Cloud Scraping</b> to a workflow, with the action
				<b>Run task and get data</b>.
			</li>
			<li>Select the credential, and paste the task ID into <b>Task ID</b>.</li>
			<li>
				Click <b>Execute step</b>: each row comes out as an item, 50 of them unless you switch on
				<b>Return All</b>.
			</li>
			<li>
				To run it regularly, begin the workflow with a <b>Schedule Trigger</b> and click
				<b>Publish</b>.
			</li>
		</ol>
	</details>`;
}
