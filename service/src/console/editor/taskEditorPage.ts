import { html, type Html } from '../../text/html.ts';
import type { TextFile } from '../../tasks/textFile.ts';
import { page, type WholePage } from '../layout.ts';
import { filePath, taskPath } from '../paths.ts';

/** An editor as it is shown. */
export interface Editor {
	/** Of the file. */
	name: string;
	text: string;
	/** Of the file as it was when it was opened. */
	hash: string;
	/** What is said below the text: a mistake, or that there is none. */
	check: Html;
	/** The task that is in the file now. */
	task?: { taskID: string; name: string };
	/** What is said above the text. */
	notice?: Html;
	/** What was entered is not in the file. */
	isUnsaved?: boolean;
}

/** The page that edits a task file. */
export function editorPage(editor: Editor): WholePage {
	const { name, text, hash, check, task, notice, isUnsaved } = editor;
	return page({
		title: `Edit ${name}`,
		section: 'tasks',
		follows: 'the service',
		above: [
			{ name: 'Tasks', path: '/console/' },
			...(task ? [{ name: task.name, path: taskPath(task.taskID) }] : []),
		],
		content: html`
			${notice}
			<form
				id="editor"
				class="editor"
				method="post"
				action="${filePath(name)}"
				autocomplete="off"
				data-once
				data-guard="${isUnsaved ? 'unsaved' : 'changes'}"
			>
				<input type="hidden" name="hash" value="${hash}" />
				<label for="text">Task, as JSON</label>
				${textArea(text, filePath(name, 'check'))}
				<div id="check" class="check" role="status">${check}</div>
				${
					text.includes('{site}/') &&
					html`<p class="muted">
						<code>{site}</code> in an address stands for this service: leave it as it is.
					</p>`
				}
				<div class="inline">
					<button class="primary">Save</button>
					<button
						type="button"
						id="try"
						hx-post="${filePath(name, 'try')}"
						hx-target="#trial"
						hx-sync="drop"
						hx-indicator="#trying"
					>
						Try
					</button>
					<span id="trying" class="inline indicator" role="status"
						>Trying… <button type="button" data-cancel="try">Cancel</button></span
					>
					<span class="muted"
						><b>Try</b> runs this text for its first 20 rows. Nothing is saved or stored.</span
					>
				</div>
			</form>
			<div id="trial"></div>
		`,
	});
}

/** The first line break in a textarea does not count: with it, one in the text does. */
function textArea(text: string, check: string): Html {
	const attributes = html`id="text" name="text" rows="24" wrap="off" spellcheck="false"
	autocapitalize="off" aria-describedby="check" hx-post="${check}" hx-trigger="input delay:400ms"
	hx-target="#check" hx-swap="innerMorph" hx-sync="replace"`;
	return html`<textarea ${attributes}>${`\n${text}`}</textarea>`;
}

/** Says how a file is kept that is not in UTF-8. */
export function encodingNotice({ encoding }: TextFile): Html | undefined {
	return encoding === 'UTF-8'
		? undefined
		: html`<p class="notice warn">
				This file is not in UTF-8; it is shown as ${encoding}. Look at its letters: what you save is
				in UTF-8.
			</p>`;
}

/** Offers what can be done about a file that has changed since it was opened. */
export function conflictNotice(name: string, now: TextFile | undefined): Html {
	return html`<div class="notice warn" role="alert">
		<p>
			Nothing was saved: the file has been ${now ? 'changed' : 'removed'} since you opened it. Your
			text is still below.
		</p>
		${
			now &&
			html`<details>
				<summary>Current file contents</summary>
				<pre tabindex="0">${now.text}</pre>
			</details>`
		}
		<p class="inline">
			${now && html`<a class="button" href="${filePath(name)}">Load the file as it is now</a>`}
			<button class="danger" form="editor" name="overwrite" value="${now?.hash ?? goneHash}">
				${now ? 'Overwrite it with my text' : 'Write it again with my text'}
			</button>
		</p>
	</div>`;
}

/** Stands for the hash of a file that is gone. */
export const goneHash = 'gone';

/** For a text whose file is not known any more: it must not be lost. */
export function lostFilePage(name: string, text: string, folder: string | undefined): WholePage {
	const place =
		folder === undefined
			? html`file, and put that into the database (<code>tasks import FOLDER</code>)`
			: html`file in <code>${folder}</code>`;
	return page({
		title: 'This file is gone',
		section: 'tasks',
		content: html`<p class="notice bad" role="alert">
				There is no task file <code>${name}</code> any more, so nothing was saved. Copy your text
				into a new ${place}, if you still need it.
			</p>
			<div class="editor">
				<label for="text">Your text</label>
				<textarea id="text" rows="26" wrap="off" readonly>${`\n${text}`}</textarea>
			</div>`,
	});
}
