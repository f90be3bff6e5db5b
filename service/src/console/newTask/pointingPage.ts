import { html, type Html } from '../../text/html.ts';
import { taskOf } from '../../picker/draft.ts';
import type { PickerSession } from '../../picker/session.ts';
import { page, type WholePage } from '../layout.ts';
import { taskPath } from '../paths.ts';
import { shortened } from '../words.ts';
import { frameAddress, guardOf } from './panel.ts';
import { actAddress, sessionPath } from './panelForms.ts';

/** The page that is pointed at, and beside it what was pointed together so far. */
export function pointingPage(session: PickerSession, beside: Html): WholePage {
	const { draft } = session;
	const isNew = session.fileHash === undefined;
	return page({
		title: isNew ? draft.name : 'Change by pointing',
		section: 'tasks',
		follows: 'the service',
		above: [
			{ name: 'Tasks', path: '/console/' },
			isNew
				? { name: 'New task', path: '/console/new' }
				: { name: shortened(draft.name), path: taskPath(draft.taskID) },
		],
		script: '/console/files/pointing.js',
		content: html`<div class="pointing" data-act="${actAddress(session)}">
			<div class="pointing-page">
				<div class="between">
					<p class="muted" id="keys-help">
						Click or tap what you want to read. By keyboard: arrow keys move, Enter selects.
					</p>
					<label id="width-switch" hidden
						><input id="desktop" type="checkbox" autocomplete="off" /> As wide as on a
						desktop</label
					>
				</div>
				<p class="inline" id="covers">
					<span id="cover-note" role="status"></span>
					<button id="hide-covers" type="button" aria-keyshortcuts="Escape" hidden>
						Hide what covers the page
					</button>
					<button id="show-covers" type="button" hidden>Show it</button>
				</p>
				<div
					id="pad"
					tabindex="0"
					role="application"
					aria-label="The page to point at"
					aria-describedby="keys-help"
					aria-busy="true"
				>
					<iframe
						id="frame"
						src="${frameAddress(session)}"
						sandbox="allow-same-origin"
						title="The page to point at"
						tabindex="-1"
					></iframe>
				</div>
				<p id="pointed" class="pointed" aria-live="polite"></p>
			</div>
			<div>
				${beside}
				<form
					id="save"
					class="card"
					method="post"
					action="${sessionPath(session)}/save"
					data-once
					data-guard="${guardOf(session)}"
					${!taskOf(draft) && html`hidden`}
				>
					${
						!isNew &&
						html`<p class="hint">
							Saving changes this task: batches that start from then on use it, those from n8n
							included.
						</p>`
					}
					<label for="name">Name of the task</label>
					<input id="name" name="name" value="${draft.name}" required />
					<div class="inline">
						<button class="primary" name="run" value="1">Save and run</button>
						<button>Save</button>
					</div>
				</form>
			</div>
		</div>`,
	});
}
