import { html, type Html } from '../../text/html.ts';
import type { Marks } from '../../picker/document/marks.ts';
import { distinctColumns } from '../../tasks/distinctColumns.ts';
import { counted, grouped, shortened } from '../words.ts';
import { allColumns } from '../../picker/columnActions.ts';
import type { Draft, DraftColumn, Taken } from '../../picker/draft.ts';
import { actionButton, changeForm, selectorOf } from './panelForms.ts';
import type { PickerSession } from '../../picker/session.ts';

/** The columns so far, to be changed; `marks`: what the draft finds on the page that is shown. */
export function columnList(session: PickerSession, columns: DraftColumn[], marks: Marks): Html {
	if (columns.length === 0) return html`<p class="muted">None yet.</p>`;
	return html`<ol class="pointed-columns">
		${columns.map(
			({ id, name, selector, taken, others }, index) =>
				html`<li>
					${changeForm(
						session,
						'column',
						html`<input type="hidden" name="id" value="${id}" />
							<input name="name" value="${name}" aria-label="Name of column ${index + 1}" />
							<select name="taken" aria-label="What to read for ${name}">
								${kinds
									.filter(({ kind }) => kind === taken || others?.[kind])
									.map(({ kind, text }) => option(kind, text, taken))}
							</select>`,
					)}
					<span class="column-actions"
						>${moveButton(session, columns, index, 'up')}
						${moveButton(session, columns, index, 'down')}
						${actionButton(session, { action: 'column', id, remove: '1' }, 'Remove', { label: `Remove the column ${name}` })}</span
					>
					<span class="muted"
						>${selectorOf(session, selector)} ${whereFound(session, marks, index)}</span
					>
					${isLost(marks, index) && html`<span class="mistake">Finds nothing in these entries: point at it anew, or remove it.</span>`}
					${nameNote(session, id)} ${allButton(session, marks, index, columns)}
					${leaveOutButton(session, marks, index)}
				</li>`,
		)}
	</ol>`;
}

/** Whether a column finds nothing in the entries there are. */
function isLost({ entries, filled }: Marks, column: number): boolean {
	return entries.length > 0 && filled[column] === 0;
}

/** The names of such columns. */
export function lostColumns(
	{ columns }: Draft,
	shown: PickerSession['shown'],
	marks: Marks,
): string[] {
	if (shown === 'detail') return [];
	return columns.filter((_, index) => isLost(marks, index)).map(({ name }) => name);
}

/** Two columns of one name are told apart by a number: whoever did not mean that sees it here. */
function nameNote(session: PickerSession, id: string): Html | false {
	const all = allColumns(session);
	const column = all.find((each) => each.id === id);
	const distinct = distinctColumns({ fields: all }).find((each) => each.id === id);
	return (
		column !== undefined &&
		distinct !== undefined &&
		distinct.name !== column.name &&
		html`<span class="mistake"
			>Another column is called ${shortened(column.name, 100)}, too: in the rows of a batch, this
			one is ${shortened(distinct.name, 100)}.</span
		>`
	);
}

function moveButton(
	session: PickerSession,
	columns: DraftColumn[],
	index: number,
	move: 'up' | 'down',
): Html | false {
	const column = columns[index];
	const isOff = index === (move === 'up' ? 0 : columns.length - 1);
	return (
		column !== undefined &&
		actionButton(session, { action: 'column', id: column.id, move }, move === 'up' ? '↑' : '↓', {
			label: `Move the column ${column.name} ${move}`,
			id: `${move}-${column.id}`,
			isOff,
		})
	);
}

/** In how many of the entries, and by what, where that is nothing to rely on. */
function whereFound(session: PickerSession, marks: Marks, column: number): string {
	const share =
		isInEntries(session) && `in ${marks.filled[column] ?? 0} of ${marks.entries.length}`;
	const place =
		marks.byPlace[column] &&
		`${share ? 'by' : 'By'} its position: check the rows, because an entry that lacks something may have something else there`;
	return [share, place].filter(Boolean).join(', ');
}

/** Of several things that an entry has, the first is read, or all. */
function allButton(
	session: PickerSession,
	marks: Marks,
	index: number,
	columns: DraftColumn[],
): Html | false {
	const column = columns[index];
	const most = marks.most[index] ?? 0;
	if (!column || (most < 2 && !column.all)) return false;
	const { id, name, all } = column;
	const [said, text, value] = all
		? [`Reads all of up to ${grouped(most)}, a line each.`, 'Only the first', '0']
		: [`Reads the first of up to ${grouped(most)}.`, 'All of them', '1'];
	const label = `${text}: ${name}`;
	return html`<span class="muted"
		>${said} ${actionButton(session, { action: 'column', id, all: value }, text, { label })}</span
	>`;
}

/** Whether the columns that are shown are those of a list. */
function isInEntries({ draft, shown }: PickerSession): boolean {
	return shown === 'list' && draft.entries !== undefined;
}

/** What has none of a column may be an advertisement that looks like an entry. */
function leaveOutButton(session: PickerSession, marks: Marks, index: number): Html | false {
	const column = session.draft.columns[index];
	if (!column || !isInEntries(session)) return false;
	const without = marks.entries.length - (marks.having[index] ?? 0);
	if (without === 0 || without === marks.entries.length) return false;
	return actionButton(
		session,
		{ action: 'narrow', id: column.id },
		`Leave out the ${counted(without, 'entry')} without it`,
		{ label: `Leave out the ${counted(without, 'entry')} without ${column.name}` },
	);
}

const kinds: { kind: Taken; text: string }[] = [
	{ kind: 'text', text: 'Text' },
	{ kind: 'href', text: 'Link' },
	{ kind: 'src', text: 'Picture' },
	{ kind: 'datetime', text: 'Date and time' },
];

function option(value: string, text: string, chosen: string): Html {
	return html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`;
}
