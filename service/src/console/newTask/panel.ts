import { html, type Html } from '../../text/html.ts';
import type { Marks } from '../../picker/document/marks.ts';
import type { Task } from '../../tasks/task.ts';
import { versionOf } from '../entries.ts';
import { counted, shortened } from '../words.ts';
import { pointedFor, taskOf, type Draft } from '../../picker/draft.ts';
import { allColumns } from '../../picker/columnActions.ts';
import { carriedText } from '../../picker/carriedDraft.ts';
import { columnList, lostColumns } from './panelColumns.ts';
import {
	actAddress,
	actionButton,
	aimButton,
	changeForm,
	forgetButton,
	selectorOf,
	sessionPath,
} from './panelForms.ts';
import { inBrowser, ledWords, pageNotices } from './panelNotices.ts';
import type { PickerSession } from '../../picker/session.ts';
import type { PickedElement } from '../../picker/state.ts';

/** What stands beside the page: what was pointed together so far, and what to do next. */
export function panel(session: PickerSession, marks: Marks): Html {
	const { draft, shown, mistake, note, one, added } = session;
	const lost = lostColumns(draft, shown, marks);
	const { list, ledFrom } = session;
	const isBlank = draft.entries === undefined && draft.columns.length === 0 && !one;
	const said = [
		ledFrom !== undefined && isBlank && ledWords(list.url, ledFrom),
		note,
		one?.unlike && saidOf(one),
		added !== undefined && `New column: “${shortened(added, 100)}”.`,
		lost.length > 0 && `Columns that find nothing: ${lost.join(', ')}.`,
		hintOf(session),
	];
	const task = taskOf(draft);
	const lacks = draft.page === 'http' && shown === 'list' && session.lack?.ofScripts;
	return html`<div
		id="panel"
		class="pointing-panel"
		data-marks="${JSON.stringify({ ...marks, one: one ? [one.number] : [] })}"
		data-frame="${frameAddress(session)}"
		data-say="${mistake ?? said.filter(Boolean).join(' ')}"
		data-added="${allColumns(session).findIndex(({ name }) => name === added)}"
		data-ready="${String(task !== undefined)}"
		data-guards="${guardOf(session)}"
	>
		${mistake !== undefined && html`<p class="notice bad" role="alert">${mistake}</p>`}
		${pageNotices(session, lacks === 'likely')}
		<div class="notice">
			${note !== undefined && html`<p>${note}</p>`}
			${one && html`<p>${saidOf(one)} ${selectorOf(session, one.selector)}</p>`}
			<p class="instruction">${hintOf(session)}</p>
			${one?.unlike && html`<p>${actionButton(session, { action: 'other' }, `Begin with ${quoted(one.unlike.text, 'this', 40)}`)}</p>`}
			${
				lacks === 'possibly' &&
				!isFound(draft, marks) &&
				html`<p class="muted">
					Don’t see the data you want? This page has scripts, which have not run.
					${inBrowser(session)}
				</p>`
			}
		</div>
		<p class="inline">
			${historyButton(session, 'undo')} ${historyButton(session, 'redo')}
			${actionButton(session, { action: 'selectors' }, session.showsSelectors ? 'Hide selectors' : 'Show selectors')}
		</p>
		${shown === 'list' ? listParts(session, marks) : detailParts(session, marks)}
		${task && rowsPart(session, task)}
		<form id="act" method="post" action="${actAddress(session)}" data-comes-back></form>
		<input
			id="draft"
			type="hidden"
			form="save"
			name="draft"
			value="${carriedText(session, marks.outline)}"
		/>
	</div>`;
}

/** Whether something was pointed at, and is on the page: one entry is no list. */
function isFound({ entries, columns }: Draft, marks: Marks): boolean {
	return entries === undefined ? columns.length > 0 : marks.entries.length > 1;
}

/** Another part for another task: one that is there already is left as it is. */
function rowsPart(session: PickerSession, task: Task): Html {
	return html`<section
		id="rows-${versionOf(task)}"
		hx-morph-skip
		hx-post="${sessionPath(session)}/rows"
		hx-include="#draft"
		hx-trigger="load"
		hx-swap="innerHTML"
	>
		<h2>First rows</h2>
		<p class="muted">Reading …</p>
	</section>`;
}

/** Whether leaving is asked about: always, or once something is entered. */
export function guardOf({ draft, one, saved }: PickerSession): 'unsaved' | 'changes' {
	return one !== undefined || pointedFor(draft) !== saved ? 'unsaved' : 'changes';
}

/** The address of the page that is in the frame. */
export function frameAddress(session: PickerSession): string {
	const { shown, draft, reopened } = session;
	const version = [draft.page === 'browser' && 'browser', reopened].filter(Boolean).join('&');
	return `${sessionPath(session)}/frame/${shown}${version && `?${version}`}`;
}

/** What was pointed at in one entry, in words; what has no text, such as a picture, is "this". */
function saidOf({ text, unlike }: PickedElement): string {
	return unlike === undefined
		? `“${shortened(text, 100)}”`
		: `${quoted(unlike.text, 'This')} is not like ${quoted(text, 'what you pointed at first')}.`;
}

function quoted(text: string, otherwise: string, length = 100): string {
	return text === '' ? otherwise : `“${shortened(text, length)}”`;
}

function hintOf({ draft, aim, one, shown, unopened }: PickerSession): string {
	if (unopened !== undefined) {
		return 'The page could not be opened again; what you have pointed at is still here. Open its address again, or save the task.';
	}
	if (shown === 'detail') return 'Point at what you want to read on this page.';
	switch (aim) {
		case 'entries':
			if (one?.unlike) {
				return `Point at another one like ${quoted(one.text, 'the first')}, or begin with ${quoted(one.unlike.text, 'this')}.`;
			}
			if (one) return 'Now point at the same thing in another entry.';
			return draft.entries === undefined
				? 'Point at something in one entry of the list, such as its name; then at the same in another entry.'
				: 'The list finds nothing on this page. Point at something in one entry of it, such as its name, then at the same in another one: the columns stay.';
		case 'column':
			return draft.entries === undefined
				? 'Point at what you want to read on this page.'
				: 'Point at anything else you want to read, in any entry.';
		case 'next':
			return 'Point at the link or button that leads to the next page.';
		case 'follow':
			return 'Point at the link in an entry that leads to its own page.';
	}
}

function listParts(session: PickerSession, marks: Marks): Html {
	const { draft } = session;
	const { entries, next, detail } = draft;
	return html`
		<section>
			<h2>1. Entries</h2>
			${
				entries === undefined
					? html`<p>
							${aimButton(session, 'entries', 'Select a list')}
							${aimButton(session, 'column', 'Whole page as one row')}
						</p>`
					: html`<p>
								<b>${counted(marks.entries.length, 'entry')}</b>
								${selectorOf(session, entries)} ${forgetButton(session, 'entries', 'Start over')}
							</p>
							${marks.areEntriesByPlace && html`<p class="muted">${byPlace}</p>`}
							${marks.statesOfEntries.map((name) => html`<p class="muted">${byState(name)}</p>`)}`
			}
		</section>
		<section>
			<h2>2. Columns</h2>
			${columnList(session, draft.columns, marks)}
			${session.aim !== 'column' && marks.entries.length > 0 && entries !== undefined && aimButton(session, 'column', 'Point at another one')}
		</section>
		<section>
			<h2>3. More pages</h2>
			${next === undefined ? nextButton(session) : nextPart(session, next, marks)}
			${
				entries !== undefined &&
				html`<p>
					${
						detail === undefined
							? aimButton(session, 'follow', 'Follow a link of each entry')
							: html`Follows a link of each entry ${selectorOf(session, detail.link)} to
								${counted(detail.columns.length, 'more column')}
								${actionButton(session, { action: 'show', page: 'detail' }, 'Show that page')}
								${forgetButton(session, 'detail', 'Remove')}`
					}
				</p>`
			}
		</section>
	`;
}

const byPlace =
	'By its position: check the rows, because where another page has one list more or less, another one may stand there.';

const byState = (name: string) =>
	`By the class “${name}”, which may say how entries are, and not what they are: check the rows, because entries without it are left out.`;

/** What is looked at on the next page is what was pointed at on this one. */
function nextButton(session: PickerSession): Html {
	const { draft, offer } = session;
	const { entries, columns } = draft;
	if (entries === undefined && columns.length === 0) {
		return html`<p class="muted">Available once there are entries or columns.</p>`;
	}
	const label = offer && shortened(offer.label, 40);
	return html`<p>${aimButton(session, 'next', 'Point at “next”')}</p>
		${
			label !== undefined &&
			html`<p>
				<b>${label}</b> seems to lead to the next page.
				<span data-offered="${offer?.number}" hidden>It is hidden in the frame.</span>
				${actionButton(session, { action: 'next' }, `Take “${label}”`)}
			</p>`
		}`;
}

const otherList =
	'These entries of the next page stand on this page as well, outside of the list: there, another list is in its place. Point at other entries, or give the task a selector for them in its file.';

function nextPart(
	session: PickerSession,
	next: NonNullable<Draft['next']>,
	{ nextLabel }: Marks,
): Html {
	const { draft, foundOnNext } = session;
	const what = draft.entries === undefined ? 'column' : 'entry';
	const isMore = next.adds === true;
	return html`<p>
			${isMore ? 'More of the list:' : 'Next page:'}
			<b>${shortened(nextLabel ?? 'a link', 40)}</b
			>${foundOnNext && ` (${counted(foundOnNext.count, what)})`}
			${selectorOf(session, next.selector)} ${forgetButton(session, 'next', 'Remove')}
		</p>
		${isMore && html`<p>It adds to the list: it is clicked until it is gone, and then each entry is read once.</p>`}
		${foundOnNext?.areOthers && html`<p class="notice warn" role="alert">${otherList}</p>`}
		${changeForm(
			session,
			'pages',
			html`<label
				>${isMore ? 'Parts at most' : 'Pages at most'}
				<input name="pages" value="${next.maxPages}" inputmode="numeric" size="6" placeholder="all"
			/></label>`,
		)}`;
}

function detailParts(session: PickerSession, marks: Marks): Html {
	const columns = session.draft.detail?.columns ?? [];
	return html`<section>
		<h2>Columns of the entry’s own page</h2>
		${columnList(session, columns, marks)}
		<p>${actionButton(session, { action: 'show', page: 'list' }, 'Back to the list')}</p>
	</section>`;
}

function historyButton(session: PickerSession, action: 'undo' | 'redo'): Html {
	const { canUndo, canRedo } = session.history;
	const isOff = !(action === 'undo' ? canUndo : canRedo);
	return actionButton(session, { action }, action === 'undo' ? 'Undo' : 'Redo', { isOff });
}
