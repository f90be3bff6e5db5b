import { setImmediate as othersTurn } from 'node:timers/promises';
import { html, type Html } from '../../text/html.ts';
import type { Batch } from '../../store/batch.ts';
import { valuesOf } from '../../store/row.ts';
import type { Column } from '../../tasks/distinctColumns.ts';
import { batchPath } from '../paths.ts';
import { table } from '../table.ts';
import { counted, firstPart, grouped, partFrom, shortened } from '../words.ts';

/** Characters of a value that the table shows. */
const shownLength = 200;

/** Characters that stand before what was searched for, where a value is cut. */
const lengthBeforeMatch = 60;

/** A row with its number in the batch, from 1 on; without content where that is too large for a table. */
export interface NumberedRow {
	number: number;
	content: string | undefined;
}

/** Columns of the table: no window shows more, and browsers get slow. Each row by itself has all. */
const maxColumns = 200;

/** Rows under the names of their columns. */
export function rowTable(columns: Column[], rows: Html[]): Html {
	const shown = columns.slice(0, maxColumns).map(({ name }) => shortened(name, shownLength));
	const left = columns.length - shown.length;
	const more =
		left > 0 ? [`… and ${counted(left, 'more column')}: open a row by its number to see all`] : [];
	return table('Rows', [{ name: 'Row', isNumber: true }, ...shown, ...more], rows, 'rows');
}

/**
 * Rows of the table; `match`: what was searched for. Others have a turn after each: a row may have
 * 10,000 values.
 */
export async function tableRows(
	batch: Batch,
	columns: Column[],
	rows: NumberedRow[],
	match?: RegExp,
): Promise<Html[]> {
	const shown: Html[] = [];
	for (const row of rows) {
		shown.push(tableRow(batch, columns, row, match));
		await othersTurn();
	}
	return shown;
}

function tableRow(
	batch: Batch,
	columns: Column[],
	{ number, content }: NumberedRow,
	match?: RegExp,
): Html {
	const path = `${batchPath(batch)}/rows/${number}`;
	const link = html`<td class="number">
		<a href="${path}" aria-label="Row ${number}, whole">${grouped(number)}</a>
	</td>`;
	if (content === undefined) {
		return html`<tr>
			${link}
			<td colspan="${Math.max(Math.min(columns.length, maxColumns), 1)}" class="muted">
				This row is too large for the table. Open it by its number.
			</td>
		</tr>`;
	}
	const shown = columns.slice(0, maxColumns);
	const values = valuesOf(
		content,
		shown.map(({ id }) => id),
	);
	return html`<tr>
		${link}${shown.map((column, index) => cell(column, values.get(column.id) ?? '', `${path}#column-${index + 1}`, match))}
	</tr>`;
}

function cell({ name }: Column, value: string, path: string, match?: RegExp): Html {
	const start = match ? startOf(value, match) : 0;
	const shown = firstPart(partFrom(value, start), shownLength);
	const isCut = start + shown.length < value.length;
	const text = match ? marked(shown, match) : html`${shown}`;
	const more =
		isCut &&
		html`<a
			class="more"
			href="${path}"
			aria-label="All ${grouped(value.length)} characters of ${firstPart(name, 60)}"
			>…</a
		>`;
	return html`<td>
		<div class="value" dir="auto">
			${start > 0 && '… '}${isWebAddress(value) ? addressLink(value, text) : text}${more}
		</div>
	</td>`;
}

/** Where the shown part of a value begins, so that the first match is in it. */
function startOf(value: string, match: RegExp): number {
	const index = value.search(match);
	return index < shownLength - lengthBeforeMatch ? 0 : index - lengthBeforeMatch;
}

function marked(text: string, match: RegExp): Html {
	const parts = text.split(new RegExp(`(${match.source})`, match.flags));
	return html`${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
}

/** Whether a value is the address of a page on the web, and one that shows where it leads. */
export function isWebAddress(value: string): boolean {
	return /^https?:\/\/(?!\*\*\*@)[^\s\p{C}]{1,2000}$/iu.test(value) && URL.canParse(value);
}

/** An address, as a link if it is one of the web; `most`: characters of it. */
export function placeLink(address: string, most: number): Html {
	const text = shortened(address, most);
	return isWebAddress(address) ? addressLink(address, text) : html`<bdi>${text}</bdi>`;
}

/** A link to elsewhere. */
export function addressLink(address: string, content: Html | string = address): Html {
	return html`<a href="${address}" target="_blank" rel="noopener noreferrer">${content}</a>`;
}
