import { html } from '../../text/html.ts';
import { page, type WholePage } from '../layout.ts';

/** The service has lost a draft; the browser that it was made in may have it still, and sends it by itself. */
export function goneDraftPage(path: string, reason: string): WholePage {
	return page({
		title: 'There is nothing here',
		section: 'tasks',
		script: '/console/files/goneDraft.js',
		content: html`<p class="notice bad" id="gone">${reason}</p>
			<form id="resume" method="post" action="${path}/resume" hidden>
				<input type="hidden" name="draft" />
				<p class="inline"><span role="status">Opening the page again …</span></p>
			</form>
			<p><a href="/console/new">New task</a> · <a href="/console/">To the tasks</a></p>`,
	});
}
