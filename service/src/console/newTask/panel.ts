import { html, type Html } from '../../text/html.ts';
import { browserMissing } from '../../pages/browser/findBrowser.ts';
import type { Marks } from '../../picker/document/marks.ts';
import type { Task } from '../../tasks/task.ts';
import { versionOf } from '../entries.ts';
import { counted, shortened } from '../words.ts';
import { pointedFor, taskOf, type Draft } from './draft.ts';
import { columnList } from './panelColumns.ts';
import {
	actAddress,
	actionButton,
	aimButton,
	changeForm,
	forgetButton,
	selectorOf,
} from './panelForms.ts';
import type { PointedOne, Pointing } from './pointings.ts';

/** What stands beside the page: what was pointed together so far, and what to do next. */
export function panel(pointing: Pointing, marks: Marks): Html {
	const { draft, shown, mistake, one } = pointing;
	const task = taskOf(draft);
	const lacks = draft.page === 'http' && shown === 'list' && pointing.lack?.ofScripts;
	return html`<div
		id="panel"
		class="pointing-panel"
		data-marks="${JSON.stringify({ ...marks, one: one ? [one.number] : [] })}"
		data-frame="${frameAddress(pointing)}"
		data-say="${mistake ?? (one?.unlike === undefined ? hintOf(pointing) : `${saidOf(one)} ${hintOf(pointing)}`)}"
		data-ready="${String(task !== undefined)}"
		data-guards="${guardOf(pointing)}"
	>
		${mistake !== undefined && html`<p class="notice bad" role="alert">${mistake}</p>`}
		${lacks === 'likely' && scriptNotice(pointing)}
		<div class="notice">
			${one && html`<p>${saidOf(one)} ${selectorOf(pointing, one.selector)}</p>`}
			<p class="instruction">${hintOf(pointing)}</p>
			${
				lacks === 'possibly' &&
				!isFound(draft, marks) &&
				html`<p class="muted">
					Don’t see the data you want? This page has scripts, which have not run.
					${inBrowser(pointing)}
				</p>`
			}
		</div>
		<p class="inline">
			${historyButton(pointing, 'undo')} ${historyButton(pointing, 'redo')}
			${actionButton(pointing, { action: 'selectors' }, pointing.showsSelectors ? 'Hide selectors' : 'Show selectors')}
		</p>
		${shown === 'list' ? listParts(pointing, marks) : detailParts(pointing)}
		${task && rowsPart(pointing.id, task)}
		<form id="act" method="post" action="${actAddress(pointing)}" data-comes-back></form>
	</div>`;
}

/** Pages that their scripts make are empty as they come: people would look in vain for their list. */
function scriptNotice(pointing: Pointing): Html {
	return html`<div class="notice warn">
		<p>JavaScript makes this page, or a part of it: opened as plain HTML, it lacks that.</p>
		<p>${inBrowser(pointing)}</p>
	</div>`;
}

/** Opens the same page as its scripts make it, or says what that takes. */
function inBrowser(pointing: Pointing): Html | string {
	if (!pointing.lack?.hasBrowser) return browserMissing;
	return html`${actionButton(pointing, { action: 'browser' }, 'Open this page in a browser', { indicator: '#opening' })}
		<span id="opening" class="indicator" role="status">Opening …</span>`;
}

/** Whether something was pointed at, and is on the page: one entry is no list. */
function isFound({ entries, columns }: Draft, marks: Marks): boolean {
	return entries === undefined ? columns.length > 0 : marks.entries.length > 1;
}

/** Another part for another task: one that is there already is left as it is. */
function rowsPart(id: string, task: Task): Html {
	return html`<section
		id="rows-${versionOf(task)}"
		hx-morph-skip
		hx-post="/console/new/${id}/rows"
		hx-trigger="load"
		hx-swap="innerHTML"
	>
		<h2>First rows</h2>
		<p class="muted">Reading …</p>
	</section>`;
}

/** Whether leaving is asked about: always, or once something is entered. */
export function guardOf({ draft, one, saved }: Pointing): 'unsaved' | 'changes' {
	return one !== undefined || pointedFor(draft) !== saved ? 'unsaved' : 'changes';
}

/** The address of the page that is in the frame. */
export function frameAddress({ id, shown, draft }: Pointing): string {
	return `/console/new/${id}/frame/${shown}${draft.page === 'browser' ? '?browser' : ''}`;
}

/** An element that was pointed at, in words: what has no text, such as a picture, is "this". */
function saidOf({ text, unlike }: PointedOne): string {
	const quoted = (each: string, otherwise: string) =>
		each === '' ? otherwise : `“${shortened(each, 100)}”`;
	return unlike === undefined
		? `“${shortened(text, 100)}”`
		: `${quoted(text, 'This')} is something else than ${quoted(unlike, 'what was pointed at before')}.`;
}

function hintOf({ draft, aim, one, shown }: Pointing): string {
	if (shown === 'detail') return 'Point at what you want to read on this page.';
	switch (aim) {
		case 'entries':
			return one === undefined
				? 'Point at something in one entry of the list, such as its name.'
				: 'Now point at the same thing in another entry.';
		case 'column':
			return draft.entries === undefined
				? 'Point at what you want to read on this page.'
				: 'Point at what else you want to read, in any entry.';
		case 'next':
			return 'Point at the link or button that leads to the next page.';
		case 'follow':
			return 'Point at the link in an entry that leads to its own page.';
	}
}

function listParts(pointing: Pointing, marks: Marks): Html {
	const { draft } = pointing;
	const { entries, next, detail } = draft;
	return html`
		<section>
			<h2>1. Entries</h2>
			${
				entries === undefined
					? html`<p>
							${aimButton(pointing, 'entries', 'Select a list')}
							${aimButton(pointing, 'column', 'Whole page as one row')}
						</p>`
					: html`<p>
							<b>${counted(marks.entries.length, 'entry')}</b>
							${selectorOf(pointing, entries)} ${forgetButton(pointing, 'entries', 'Start over')}
						</p>`
			}
		</section>
		<section>
			<h2>2. Columns</h2>
			${columnList(pointing, draft.columns, marks)}
			${pointing.aim !== 'column' && entries !== undefined && aimButton(pointing, 'column', 'Point at another one')}
		</section>
		<section>
			<h2>3. More pages</h2>
			${next === undefined ? nextButton(pointing) : nextPart(pointing, next, marks)}
			${
				entries !== undefined &&
				html`<p>
					${
						detail === undefined
							? aimButton(pointing, 'follow', 'Follow a link of each entry')
							: html`Follows a link of each entry ${selectorOf(pointing, detail.link)} to
								${counted(detail.columns.length, 'more column')}
								${actionButton(pointing, { action: 'show', page: 'detail' }, 'Show that page')}
								${forgetButton(pointing, 'detail', 'Remove')}`
					}
				</p>`
			}
		</section>
	`;
}

/** What is looked at on the next page is what was pointed at on this one. */
function nextButton(pointing: Pointing): Html {
	const { draft, offer } = pointing;
	const { entries, columns } = draft;
	if (entries === undefined && columns.length === 0) {
		return html`<p class="muted">Available once there are entries or columns.</p>`;
	}
	const label = offer && shortened(offer.label, 40);
	return html`<p>${aimButton(pointing, 'next', 'Point at “next”')}</p>
		${
			label !== undefined &&
			html`<p>
				<b>${label}</b> seems to lead to the next page.
				<span data-offered="${offer?.number}" hidden>It is hidden in the frame.</span>
				${actionButton(pointing, { action: 'next' }, `Take “${label}”`)}
			</p>`
		}`;
}

function nextPart(
	pointing: Pointing,
	next: NonNullable<Draft['next']>,
	{ nextLabel }: Marks,
): Html {
	const { draft, foundOnNext } = pointing;
	const what = draft.entries === undefined ? 'column' : 'entry';
	return html`<p>
			Next page:
			<b>${shortened(nextLabel ?? 'a link', 40)}</b
			>${foundOnNext !== undefined && ` (${counted(foundOnNext, what)})`}
			${selectorOf(pointing, next.selector)} ${forgetButton(pointing, 'next', 'Remove')}
		</p>
		${changeForm(
			pointing,
			'pages',
			html`<label
				>Pages at most
				<input name="pages" value="${next.maxPages}" inputmode="numeric" size="6" placeholder="all"
			/></label>`,
		)}`;
}

function detailParts(pointing: Pointing): Html {
	const columns = pointing.draft.detail?.columns ?? [];
	return html`<section>
		<h2>Columns of the entry’s own page</h2>
		${columnList(pointing, columns)}
		<p>${actionButton(pointing, { action: 'show', page: 'list' }, 'Back to the list')}</p>
	</section>`;
}

function historyButton(pointing: Pointing, action: 'undo' | 'redo'): Html {
	const { canUndo, canRedo } = pointing.history;
	const isOff = !(action === 'undo' ? canUndo : canRedo);
	return actionButton(pointing, { action }, action === 'undo' ? 'Undo' : 'Redo', { isOff });
}
