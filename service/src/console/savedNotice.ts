import type { FastifyRequest } from 'fastify';
import type { Task } from '../tasks/task.ts';
import { html, type Html } from '../text/html.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { useInN8n } from './useInN8n.ts';
import { copyable } from './words.ts';

/** What has been done to a task, in the address of the page behind that; whatever is none has saved it. */
const done: Record<string, string> = {
	copy: 'This is a copy, with a task ID of its own. Nothing that uses the other task changes.',
	renamed: 'The task is renamed. Its task ID stays, so n8n finds it as before.',
};
const saved = 'The task is saved. Batches that start from now on use it.';

/** Says on the page behind a "Save" what is done, and gives what n8n needs of the task. */
export function savedNotice(
	request: FastifyRequest,
	task: Task,
	parts: ConsoleParts,
	what: unknown,
): Html {
	return html`<div class="notice good" role="status">
		<p>${(typeof what === 'string' && done[what]) || saved}</p>
		<p>Task ID for n8n: ${copyable(task.taskID, 'the task ID for n8n')}</p>
		${useInN8n(request, task, parts)}
	</div>`;
}
