import { html, type Html } from '../../text/html.ts';
import type { Marks } from '../../picker/document/marks.ts';
import { distinctColumns } from '../batch/columns.ts';
import { counted, shortened } from '../words.ts';
import { allColumns } from './columnActions.ts';
import type { DraftColumn, Taken } from './draft.ts';
import { actionButton, changeForm, selectorOf } from './panelForms.ts';
import type { Pointing } from './pointings.ts';

/** The columns so far, to be changed; `marks`: what the draft finds on the page of the list. */
export function columnList(pointing: Pointing, columns: DraftColumn[], marks?: Marks): Html {
	if (columns.length === 0) return html`<p class="muted">None yet.</p>`;
	return html`<ol class="pointed-columns">
		${columns.map(
			({ id, name, selector, taken, others }, index) =>
				html`<li>
					${changeForm(
						pointing,
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
						>${moveButton(pointing, columns, index, 'up')}
						${moveButton(pointing, columns, index, 'down')}
						${actionButton(pointing, { action: 'column', id, remove: '1' }, 'Remove', { label: `Remove the column ${name}` })}</span
					>
					<span class="muted"
						>${selectorOf(pointing, selector)} ${whereFound(pointing, selector, marks, index)}</span
					>
					${nameNote(pointing, id)} ${leaveOutButton(pointing, marks, index)}
				</li>`,
		)}
	</ol>`;
}

/** Two columns of one name are told apart by a number: whoever did not mean that sees it here. */
function nameNote(pointing: Pointing, id: string): Html | false {
	const all = allColumns(pointing);
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
	pointing: Pointing,
	columns: DraftColumn[],
	index: number,
	move: 'up' | 'down',
): Html | false {
	const column = columns[index];
	const isOff = index === (move === 'up' ? 0 : columns.length - 1);
	return (
		column !== undefined &&
		actionButton(pointing, { action: 'column', id: column.id, move }, move === 'up' ? '↑' : '↓', {
			label: `Move the column ${column.name} ${move}`,
			id: `${move}-${column.id}`,
			isOff,
		})
	);
}

/** In how many entries a column is found. */
function countIn(marks: Marks, column: number): number {
	return marks.columns[column]?.length ?? 0;
}

/** In how many of the entries, and by what, where that is nothing to rely on. */
function whereFound(
	{ draft }: Pointing,
	selector: string | undefined,
	marks: Marks | undefined,
	column: number,
): string {
	const share =
		marks &&
		draft.entries !== undefined &&
		`in ${countIn(marks, column)} of ${marks.entries.length}`;
	const place =
		goesByPlace(selector) &&
		`${share ? 'by' : 'By'} its position: check the rows, because an entry that lacks something may have something else there`;
	return [share, place].filter(Boolean).join(', ');
}

/** Cells of a table keep their places. */
function goesByPlace(selector = ''): boolean {
	return /(?<!t[dh]):nth-/.test(selector);
}

/** What has none of a column may be an advertisement that looks like an entry. */
function leaveOutButton(pointing: Pointing, marks: Marks | undefined, index: number): Html | false {
	const column = pointing.draft.columns[index];
	if (!marks || !column || pointing.draft.entries === undefined) return false;
	const without = marks.entries.length - countIn(marks, index);
	if (without === 0 || without === marks.entries.length) return false;
	return actionButton(
		pointing,
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
