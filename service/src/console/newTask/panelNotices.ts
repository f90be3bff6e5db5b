import { html, type Html } from '../../text/html.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';
import { browserMissing } from '../../pages/browser/findBrowser.ts';
import type { PickerSession } from '../../picker/session.ts';
import { shortened } from '../words.ts';
import { actionButton, changeForm } from './panelForms.ts';

/** What is to be known of the page that is pointed at, before anything is pointed at. */
export function pageNotices(session: PickerSession, lacksScripts: boolean): Html {
	const { unopened, ledFrom } = session;
	return html`${unopened !== undefined && unopenedNotice(session, unopened)}
	${ledFrom !== undefined && ledNotice(session, ledFrom)} ${lacksScripts && scriptNotice(session)}`;
}

/** The draft is kept without its page. */
function unopenedNotice(session: PickerSession, reason: string): Html {
	return html`<div class="notice bad">
		<p role="alert">The page could not be opened again. ${reason}</p>
		<p>What you have pointed at is still here, and can be saved.</p>
		${changeForm(
			session,
			'open',
			html`<label for="again">Address of the page</label>
				<p class="inline">
					<input id="again" name="url" value="${session.draft.url}" required />
					<button>Open again</button>
				</p>`,
			'submit',
		)}
	</div>`;
}

/** Whoever is led to another page sees one that nobody has asked for, such as that to sign in. */
function ledNotice({ list, asksForPassword }: PickerSession, asked: string): Html {
	return html`<div class="notice warn">
		<p>
			${ledWords(list.url, asked)}
			${
				asksForPassword &&
				html`That page asks for a password, and pages behind a login cannot be pointed at. The file
					of a task can reach them: with steps that sign in (<code>inputText</code>), or a cookie in
					its <code>headers</code>.`
			}
		</p>
	</div>`;
}

export function ledWords(landed: string, asked: string): string {
	const [from, to] = [asked, landed].map((url) => shortened(withoutPasswords(url), 200));
	return `You asked for ${from} and were led to ${to}.`;
}

/** Pages that their scripts make are empty as they come: people would look in vain for their list. */
function scriptNotice(session: PickerSession): Html {
	return html`<div class="notice warn">
		<p>
			JavaScript makes this page, or part of it: that is missing where it is opened as plain HTML.
		</p>
		<p>${inBrowser(session)}</p>
	</div>`;
}

/** Opens the same page as its scripts make it, or says what that takes. */
export function inBrowser(session: PickerSession): Html | string {
	if (!session.lack?.hasBrowser) return browserMissing;
	return html`${actionButton(session, { action: 'browser' }, 'Open this page in a browser', { indicator: '#opening' })}
		<span id="opening" class="indicator" role="status">Opening …</span>`;
}
