import { html, type Html } from '../../text/html.ts';
import type { Batch } from '../../store/batch.ts';
import { distinctColumns } from '../../tasks/distinctColumns.ts';
import { matchOf, type Found } from './rowSearch.ts';
import { rowTable, tableRows } from './rowTable.ts';
import { batchPath } from '../paths.ts';
import { counted, grouped } from '../words.ts';

/** What a search has found so far, and how to go on. */
export async function foundRows(batch: Batch, query: string, found: Found): Promise<Html> {
	const match = matchOf(query);
	const columns = distinctColumns(batch);
	const { rows, from, to, total, more } = found;
	const isWhole = from === 0 && to >= total;
	return html`
		<p role="status">
			${matches(rows.length)} in
			${
				isWhole
					? `all ${counted(total, 'row')}.`
					: `rows ${grouped(Math.min(from + 1, total))}–${grouped(to)} of ${grouped(total)}.`
			}
			${
				!more &&
				to < total &&
				'The search takes a while, so it paused here. Continue with the rows after these.'
			}
		</p>
		${rows.length > 0 && rowTable(columns, await tableRows(batch, columns, rows, match))}
		<p class="inline">
			${from > 0 && html`<a class="button" href="${searchPath(batch, query, 0)}">From the first row</a>`}
			${
				to < total &&
				html`<a class="button" href="${searchPath(batch, query, to)}"
					>${more ? 'Next matches' : `Continue from row ${grouped(to + 1)}`}</a
				>`
			}
			<a href="${batchPath(batch)}#rows">Show all rows</a>
		</p>
	`;
}

function matches(count: number): string {
	if (count === 0) return 'Nothing found';
	return `${counted(count, 'row')} found`;
}

/** The address of a search from a row on, counted from 0. */
function searchPath(batch: Batch, query: string, from: number): string {
	const parameters = new URLSearchParams({ q: query, from: String(from + 1) });
	return `${batchPath(batch)}?${parameters.toString()}#rows`;
}
