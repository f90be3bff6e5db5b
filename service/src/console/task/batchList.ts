import { html, type Html } from '../../text/html.ts';
import { isUnfinished, type Batch } from '../../store/batch.ts';
import type { BatchStore } from '../../store/batchStore.ts';
import { deleteForm } from '../batch/batchActions.ts';
import { hasNoRows, rowCount, runTimeOf, statusBadge, statusNote } from '../batchStatus.ts';
import { batchChart, chartedBatches } from './batchChart.ts';
import { batchPath, taskPath } from '../paths.ts';
import { table } from '../table.ts';
import { counted, durationOf, grouped, timeOf } from '../words.ts';

/** Batches on a page. */
const pageSize = 50;

/** The orders of the API (section 4.3), by their numbers. */
const orders = ['Newest first', 'Longest first', 'Most rows first'];

/** Which part of a task's batches is shown: an order, and a page from 1 on. */
export interface BatchWindow {
	order: number;
	page: number;
}

/** Reads the window from the query of an address; whatever is none is the first page, newest first. */
export function batchWindow(query: { orderBy?: unknown; page?: unknown }): BatchWindow {
	const numberOf = (text: unknown) =>
		typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0;
	const order = numberOf(query.orderBy);
	return { order: order < orders.length ? order : 0, page: Math.max(numberOf(query.page), 1) };
}

/** The query by which `batchWindow` reads a window again. */
export function queryFor({ order, page }: BatchWindow): string {
	return `?orderBy=${order}&page=${page}`;
}

/** The address of a task's page with this window of its batches. */
function addressOf(taskID: string, window: BatchWindow): string {
	return `${taskPath(taskID)}${queryFor(window)}#runs`;
}

/** The batches of a task, live: a chart of the last ones, and a table page by page. */
export async function batchList(
	batches: BatchStore,
	taskID: string,
	window: BatchWindow,
): Promise<Html> {
	const total = await batches.count(taskID);
	if (total === 0) {
		return html`<p class="muted">Nothing has run yet. Batches appear here as they run.</p>`;
	}
	const pages = Math.ceil(total / pageSize);
	const page = Math.min(window.page, pages);
	const offset = (page - 1) * pageSize;
	const shown = await batches.list(taskID, window.order, { offset, size: pageSize });
	return html`
		${batchChart(await batches.list(taskID, 0, { offset: 0, size: chartedBatches }))}
		<div class="inline list-head">
			<span>${counted(total, 'batch')}</span>
			<nav class="choices" aria-label="Order of the batches">
				${orders.map(
					(name, order) =>
						html`<a
							href="${addressOf(taskID, { order, page: 1 })}"
							${order === window.order && html`aria-current="true"`}
							>${name}</a
						>`,
				)}
			</nav>
		</div>
		${batchTable(shown)} ${pages > 1 && pager(taskID, { ...window, page }, pages)}
	`;
}

function batchTable(batches: Batch[]): Html {
	return table(
		'Batches',
		[
			'Started',
			'Status',
			...['Duration', 'Rows', 'Duplicates', 'Failed pages'].map((name) => ({
				name,
				isNumber: true,
			})),
			{ name: 'Delete', isUnseen: true },
		],
		batches.map(batchRow),
	);
}

function batchRow(batch: Batch): Html {
	const time = runTimeOf(batch);
	return html`<tr>
		<th scope="row">
			<a class="run" href="${batchPath(batch)}">${timeOf(batch.startTime || batch.createTime)}</a>
		</th>
		<td>${statusBadge(batch)} ${hasNoRows(batch) && statusNote(batch)}</td>
		<td class="number" data-label="Duration">${time !== undefined && durationOf(time)}</td>
		<td class="number" data-label="Rows">${rowCount(batch)}</td>
		<td class="number" data-label="Duplicates">${quiet(batch.duplicatedCount)}</td>
		<td class="number failures" data-label="Failed pages">${quiet(batch.failedPages)}</td>
		<td class="number">${!isUnfinished(batch) && deleteForm(batch)}</td>
	</tr>`;
}

/** A number that matters only where there is something to count. */
function quiet(count: number): Html {
	return count === 0 ? html`<span class="muted">0</span>` : html`<b>${grouped(count)}</b>`;
}

function pager(taskID: string, { order, page }: BatchWindow, pages: number): Html {
	const to = (target: number, name: string) =>
		target >= 1 && target <= pages
			? html`<a class="button" href="${addressOf(taskID, { order, page: target })}">${name}</a>`
			: html`<span class="button" aria-disabled="true">${name}</span>`;
	return html`<nav class="inline" aria-label="Pages of the batches">
		${to(page - 1, 'Previous')}
		<span>Page ${grouped(page)} of ${grouped(pages)}</span>
		${to(page + 1, 'Next')}
	</nav>`;
}
