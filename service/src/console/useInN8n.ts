import type { FastifyRequest } from 'fastify';
import type { Task } from '../tasks/task.ts';
import { html, type Html } from '../text/html.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { n8nWorkflows } from './n8nWorkflows.ts';
import { baseUrlOf } from './paths.ts';
import { copyable } from './words.ts';

/** The way from a task to n8n: workflows to copy, and what to do with them, in the names that n8n shows. */
export function useInN8n(
	request: FastifyRequest,
	task: Task,
	{ site, settings }: Pick<ConsoleParts, 'site' | 'settings'>,
): Html {
	const workflows = n8nWorkflows(task, site());
	return html`<div class="in-n8n" role="group" aria-labelledby="copy-for-n8n">
			<b id="copy-for-n8n">Copy for n8n</b>
			${workflows.map(
				({ name, does, json }) =>
					html`<button type="button" title="${does}" data-copy="${json}">${name}</button>`,
			)}
		</div>
		<details>
			<summary>Use it in n8n</summary>
			<ol>
				<li>
					In n8n, create a credential of the type <b>Cloud Scraping API</b>, once for all tasks. Its
					base URL is ${copyable(baseUrlOf(request, settings), 'the base URL')}; create its API key
					on the page <a href="/console/keys" target="_blank">Keys</a>. (In the n8n of
					<code>npm start</code> it is there already.)
				</li>
				<li>
					Copy a workflow with a button above, click on an empty place of n8n’s canvas, and paste it
					with Ctrl+V (Cmd+V on a Mac):
					<ul>
						${workflows.map(({ name, does }) => html`<li><b>${name}</b>: ${does}</li>`)}
					</ul>
				</li>
				<li>
					n8n selects a credential of that type by itself: check that it is this one. Where it has
					none, it marks the node red.
				</li>
				<li>
					Click <b>Execute workflow</b>: each row comes out as an item. What is to run by itself
					does so once you click <b>Publish</b>.
				</li>
			</ol>
			<p class="muted">
				Or add the node <b>Cloud Scraping</b> to a workflow of yours, and paste the task ID into
				<b>Task ID</b>.
			</p>
		</details>`;
}
