import { basename } from 'node:path';
import { html, type Html } from '../../text/html.ts';
import { placeOf } from '../../tasks/placeInText.ts';
import { readTaskText, type TextMistake } from '../../tasks/readTaskText.ts';
import type { Task } from '../../tasks/task.ts';
import type { Tasks } from '../../tasks/tasks.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';

/** The task that a text would be in the file of this name, or why it would be none. */
export function taskIn(
	text: string,
	name: string,
	tasks: Tasks,
): { task: Task } | { mistake: TextMistake } {
	const read = readTaskText(text);
	if ('mistake' in read) return read;
	const { taskID } = read.task;
	const other = tasks.findLoaded(taskID);
	if (!other || basename(other.file) === name) return read;
	const message = `/taskID "${taskID}" is the id of the task in ${basename(other.file)} already`;
	return { mistake: { message, place: placeOf('/taskID', text), isSyntax: false } };
}

/** What is wrong with a text, with a button that goes there. */
export function mistakeLine({ message, place }: TextMistake): Html {
	return html`<p class="mistake">
		${place && html`<b>Line ${place.line}:</b>`} ${withoutPasswords(message)}.
		${
			place &&
			html`<button
				type="button"
				class="copy"
				data-go-to="${place.offset}"
				data-length="${place.length}"
			>
				Go there
			</button>`
		}
	</p>`;
}
