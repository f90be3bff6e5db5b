import { html, type Html } from '../../html.ts';
import type { Batch } from '../../store/batch.ts';
import type { BatchStore } from '../../store/batchStore.ts';
import { deleteForm } from '../batch/batchActions.ts';
import { isUnfinished, rowCount, runTimeOf, statusBadge } from '../batchStatus.ts';
import { chartedRuns, runChart } from './runChart.ts';
import { batchPath, taskPath } from '../paths.ts';
import { table } from '../table.ts';
import { counted, durationOf, grouped, timeOf } from '../words.ts';

/** Runs on a page. */
const pageSize = 50;

/** The orders of the API (section 4.3), by their numbers. */
const orders = ['Newest first', 'Longest first', 'Most rows first'];

/** Which part of a task's runs is shown: an order, and a page from 1 on. */
export interface RunWindow {
	order: number;
	page: number;
}

/** Reads the window from the query of an address; whatever is none is the first page, newest first. */
export function runWindow(query: { orderBy?: unknown; page?: unknown }): RunWindow {
	const numberOf = (text: unknown) =>
		typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0;
	const order = numberOf(query.orderBy);
	return { order: order < orders.length ? order : 0, page: Math.max(numberOf(query.page), 1) };
}

/** The query by which `runWindow` reads a window again. */
export function queryFor({ order, page }: RunWindow): string {
	return `?orderBy=${order}&page=${page}`;
}

/** The address of a task's page with this window of its runs. */
function addressOf(taskID: string, window: RunWindow): string {
	return `${taskPath(taskID)}${queryFor(window)}#runs`;
}

/** The runs of a task, live: a chart of the last ones, and a table page by page. */
export function runList(batches: BatchStore, taskID: string, window: RunWindow): Html {
	const total = batches.count(taskID);
	if (total === 0) {
		return html`<p class="muted">Nothing has run yet. What runs shows here as it goes.</p>`;
	}
	const pages = Math.ceil(total / pageSize);
	const page = Math.min(window.page, pages);
	const offset = (page - 1) * pageSize;
	const shown = batches.list(taskID, window.order, { offset, size: pageSize });
	return html`
		${runChart(batches.list(taskID, 0, { offset: 0, size: chartedRuns }))}
		<div class="inline list-head">
			<span>${counted(total, 'run')}</span>
			<nav class="choices" aria-label="Order of the runs">
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
		${runTable(shown)} ${pages > 1 && pager(taskID, { ...window, page }, pages)}
	`;
}

function runTable(batches: Batch[]): Html {
	return table(
		'Runs',
		[
			'Start',
			'Status',
			...['Duration', 'Rows', 'Duplicates', 'Failed pages'].map((name) => ({
				name,
				isNumber: true,
			})),
			{ name: 'Delete', isUnseen: true },
		],
		batches.map(runRow),
	);
}

function runRow(batch: Batch): Html {
	const time = runTimeOf(batch);
	return html`<tr>
		<th scope="row">
			<a class="run" href="${batchPath(batch)}">${timeOf(batch.startTime || batch.createTime)}</a>
		</th>
		<td>${statusBadge(batch)}</td>
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

function pager(taskID: string, { order, page }: RunWindow, pages: number): Html {
	const to = (target: number, name: string) =>
		target >= 1 && target <= pages
			? html`<a class="button" href="${addressOf(taskID, { order, page: target })}">${name}</a>`
			: html`<span class="button" aria-disabled="true">${name}</span>`;
	return html`<nav class="inline" aria-label="Pages of the runs">
		${to(page - 1, 'Previous')}
		<span>Page ${grouped(page)} of ${grouped(pages)}</span>
		${to(page + 1, 'Next')}
	</nav>`;
}
