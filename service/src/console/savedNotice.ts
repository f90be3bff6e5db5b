import { html, type Html } from '../html.ts';
import { copyable } from './words.ts';

/** Says on the page behind a "Save" that the task is saved, and gives what n8n needs of it. */
export function savedNotice(taskID: string): Html {
	return html`<div class="notice good" role="status">
		<p>The task is saved. Batches that start from now on use it.</p>
		<p>Task ID for n8n: ${copyable(taskID, 'the task ID for n8n')}</p>
	</div>`;
}
