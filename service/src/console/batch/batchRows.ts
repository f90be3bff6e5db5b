import { setImmediate as othersTurn } from 'node:timers/promises';
import { html, type Html } from '../../text/html.ts';
import { isUnfinished, status, type Batch } from '../../store/batch.ts';
import { valuesOf } from '../../store/row.ts';
import { distinctColumns } from '../../tasks/distinctColumns.ts';
import { isFormula } from './csvLines.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { rowTable, tableRows } from './rowTable.ts';
import { batchPath } from '../paths.ts';
import { counted, grouped, shortened } from '../words.ts';

/** Rows on a page. */
const pageSize = 50;

/** Characters of the rows that are read for a page; those behind are shown by themselves. */
const maxCharacters = 8 * 1024 * 1024;

type RowParts = Pick<ConsoleParts, 'rows' | 'selectors'>;

/** What a page of rows shows now. */
export interface ShownRows {
	/** "Rows 51–100 of 1,000,000". */
	count: Html;
	/** The table, or why there is none. */
	table: Html;
	/** Links to the other pages. */
	pages: Html;
}

/** The page that shows a row. */
export function pageOfRow(number: number): number {
	return Math.ceil(number / pageSize);
}

/**
 * Shows a page of rows as it is at each call. Rows stay where they are, also while the batch runs, so
 * none is read twice.
 */
export function rowsOfPage(parts: RowParts, wanted: number): (batch: Batch) => Promise<ShownRows> {
	let page = 1;
	let known: Html[] = [];
	let formula: string | undefined;
	return async (batch) => {
		const total = await parts.rows.count(batch);
		const last = Math.max(Math.ceil(total / pageSize), 1);
		const next = Math.min(wanted, last);
		if (next !== page) {
			known = [];
			formula = undefined;
		}
		page = next;
		const first = (page - 1) * pageSize;
		const end = Math.min(first + pageSize, total);
		const read = await readRows(parts, batch, first + known.length, end);
		known.push(...read.rows);
		formula ??= read.formula;
		return {
			count: countOf(batch, { first, shown: known.length, total }),
			table:
				known.length > 0
					? html`${formula !== undefined && formulaNote(formula)}
						${rowTable(distinctColumns(batch), known)}`
					: await noRows(parts, batch),
			pages: last > 1 ? pageLinks(batch, page, last) : html``,
		};
	};
}

/** Rows, and the first of their values that spreadsheets would take for a formula. */
async function readRows(
	{ rows }: RowParts,
	batch: Batch,
	offset: number,
	end: number,
): Promise<{ rows: Html[]; formula: string | undefined }> {
	const size = Math.max(end - offset, 0);
	const contents = await rows.read(batch, { offset, size }, maxCharacters);
	const numbered = Array.from({ length: size }, (_, index) => ({
		number: offset + index + 1,
		content: contents[index],
	}));
	return {
		rows: await tableRows(batch, distinctColumns(batch), numbered),
		formula: await firstFormula(contents),
	};
}

async function firstFormula(contents: string[]): Promise<string | undefined> {
	for (const content of contents) {
		const formula = [...valuesOf(content).values()].find(isFormula);
		if (formula !== undefined) return formula;
		await othersTurn();
	}
	return undefined;
}

function formulaNote(value: string): Html {
	return html`<p class="hint">
		In the CSV, a text that spreadsheets would take for a formula, as
		<code>${shortened(value, 40)}</code>, begins with an apostrophe.
	</p>`;
}

function countOf(
	batch: Batch,
	{ first, shown, total }: { first: number; shown: number; total: number },
): Html {
	const heldBack = isUnfinished(batch) ? batch.lineCount - total : 0;
	return html`
		${
			shown > 0 &&
			html`<span>Rows ${grouped(first + 1)}–${grouped(first + shown)} of ${grouped(total)}</span>`
		}
		${
			heldBack > 0 &&
			html`<span class="muted"
				>${counted(heldBack, 'more row')} of later jobs: shown as soon as the jobs before them are
				done</span
			>`
		}
	`;
}

async function noRows(parts: RowParts, batch: Batch): Promise<Html> {
	return html`<p class="empty">${await whyNoRows(parts, batch)}</p>`;
}

async function whyNoRows({ selectors }: RowParts, batch: Batch): Promise<Html | string> {
	if (batch.status === status.waiting) return 'No rows yet. The batch is waiting for a free agent.';
	if (batch.status === status.running) return 'No rows yet. They appear here as they come in.';
	if (batch.failedPages > 0) {
		return html`This batch found nothing: see the <a href="#failures">failed pages</a> below.`;
	}
	if ((await selectors.emptyOf(batch.id)).length > 0) {
		return html`This batch found nothing: see the <a href="#selectors">selectors</a> below.`;
	}
	return batch.status === status.stopped
		? 'This batch was stopped before it found anything.'
		: 'This batch found nothing: none of its steps found a row.';
}

function pageLinks(batch: Batch, page: number, last: number): Html {
	const link = (name: string, to: number) =>
		to === page || to < 1 || to > last
			? html`<span class="button off" aria-disabled="true">${name}</span>`
			: html`<a class="button" href="${batchPath(batch)}?page=${to}#rows">${name}</a>`;
	return html`<nav class="inline pages" aria-label="Pages of rows">
		${link('First', 1)}${link('Previous', page - 1)}
		<span class="muted">Page ${grouped(page)} of ${grouped(last)}</span>
		${link('Next', page + 1)}${link('Last', last)}
	</nav>`;
}
