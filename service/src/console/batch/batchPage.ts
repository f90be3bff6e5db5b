import type { FastifyInstance } from 'fastify';
import { html, type Html } from '../../text/html.ts';
import { isUnfinished, type Batch } from '../../store/batch.ts';
import { batchActions } from './batchActions.ts';
import { batchFailures } from './batchFailures.ts';
import { aboveBatch, taskNameOf } from './batchHeading.ts';
import { batchLogLines } from './batchLogLines.ts';
import { batchProgress, endOf } from './batchProgress.ts';
import { rowsOfPage, type ShownRows } from './batchRows.ts';
import { batchSelectors } from './batchSelectors.ts';
import { batchWarnings } from './batchWarnings.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { foundRows } from './foundRows.ts';
import { page, sendPage, type WholePage } from '../layout.ts';
import { partOf, sendLive, sharedParts, untilGone, type LivePart } from '../live.ts';
import { numberFromOne, queryOf, requestedBatch, type BatchRequest } from './requestedBatch.ts';
import { findRows, maxQuery } from './rowSearch.ts';
import { batchPath } from '../paths.ts';
import { savedNotice } from '../savedNotice.ts';

/** A batch: its state, live while it runs, its rows, and what went wrong. */
export function batchRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get('/batches/:batchID', async (request: BatchRequest, reply) => {
		const batch = await requestedBatch(parts, request.params.batchID);
		const query = queryOf(request);
		const task = parts.tasks.find(batch.taskID);
		const text = query.get('q')?.slice(0, maxQuery) ?? '';
		const from = numberFromOne(query.get('from')) - 1;
		const search = { query: text, from, signal: untilGone(parts, reply) };
		const rows =
			text === ''
				? await pagedRows(parts, batch, numberFromOne(query.get('page')))
				: { content: await foundRows(batch, text, await findRows(parts, batch, search)) };
		return sendPage(
			reply,
			await batchPage(parts, batch, {
				query: text,
				rows,
				notice: task && query.has('saved') && savedNotice(request, task, parts, query.get('saved')),
			}),
		);
	});
	const shared = sharedParts();
	server.get('/batches/:batchID/live', async (request: BatchRequest, reply) => {
		const { id } = await requestedBatch(parts, request.params.batchID);
		const pageNumber = queryOf(request).get('page');
		const rows = pageNumber === null ? undefined : rowsOfPage(parts, numberFromOne(pageNumber));
		const part = shared(request.url, () => livePart(parts, id, rows));
		return sendLive(parts, request, reply, part);
	});
}

/** The part of the page that shows rows, and the page of them that is to stay up to date. */
interface RowsSection {
	content: Html;
	livePage?: number;
}

async function pagedRows(
	parts: ConsoleParts,
	batch: Batch,
	pageNumber: number,
): Promise<RowsSection> {
	const { count, table, pages } = await rowsOfPage(parts, pageNumber)(batch);
	return {
		livePage: pageNumber,
		content: html`
			<p id="rows-count" class="inline">${count}</p>
			<div id="rows-table">${table}</div>
			<div id="rows-pages">${pages}</div>
		`,
	};
}

async function batchPage(
	parts: ConsoleParts,
	batch: Batch,
	{ query, rows, notice }: { query: string; rows: RowsSection; notice?: Html | false },
): Promise<WholePage> {
	const { content, livePage } = rows;
	const isLive = isUnfinished(batch);
	const live = `${batchPath(batch)}/live${livePage === undefined ? '' : `?page=${livePage}`}`;
	return page({
		title: taskNameOf(parts, batch),
		section: 'tasks',
		above: aboveBatch(batch),
		follows: isLive ? 'its own' : undefined,
		actions: html`<div id="batch-actions" class="actions">
			${await batchActions(parts, batch)}
		</div>`,
		content: html`
			${notice}
			${isLive && html`<div hx-sse:connect="${live}" hx-sse:close="over" hx-swap="none"></div>`}
			<section
				id="batch-state"
				class="state"
				aria-label="State"
				tabindex="-1"
				data-takes-lost-focus
			>
				${await batchProgress(parts, batch)}
			</section>
			<section id="rows">
				<div class="between">
					<h2>Rows</h2>
					${searchForm(batch, query)}
					<div class="inline">
						<a
							class="button"
							href="${batchPath(batch)}/rows.csv"
							title="A text that spreadsheets would take for a formula begins with an apostrophe."
							>Download CSV</a
						>
						<a class="button" href="${batchPath(batch)}/rows.jsonl">Download JSONL</a>
					</div>
				</div>
				${content}
			</section>
			<div id="batch-failures">${await batchFailures(parts, batch)}</div>
			<div id="batch-warnings">${await batchWarnings(parts, batch)}</div>
			<div id="batch-selectors">${await batchSelectors(parts, batch)}</div>
			<details class="card" ${isLive && html`open`}>
				<summary><h2>Log</h2></summary>
				<div id="batch-log">${await batchLogLines(parts, batch)}</div>
			</details>
		`,
	});
}

function searchForm(batch: Batch, query: string): Html {
	return html`<form class="inline" role="search" method="get" action="${batchPath(batch)}#rows">
		<label class="unseen" for="search">Search the rows</label>
		<input
			id="search"
			type="search"
			name="q"
			value="${query}"
			maxlength="${maxQuery}"
			placeholder="Text in any column"
		/>
		<button>Search</button>
	</form>`;
}

/** All that changes on the page while a batch runs. */
async function livePart(
	parts: ConsoleParts,
	id: bigint,
	rowsOf: ((batch: Batch) => Promise<ShownRows>) | undefined,
): Promise<LivePart> {
	const batch = await parts.batches.find(id);
	if (!batch) return { content: [], isOver: true };
	const isOver = !isUnfinished(batch);
	const rows = await rowsOf?.(batch);
	return {
		isOver,
		content: [
			partOf('batch-state', await batchProgress(parts, batch)),
			partOf('batch-failures', await batchFailures(parts, batch)),
			partOf('batch-warnings', await batchWarnings(parts, batch)),
			partOf('batch-selectors', await batchSelectors(parts, batch)),
			partOf('batch-log', await batchLogLines(parts, batch)),
			...(rows
				? [
						partOf('rows-count', rows.count),
						partOf('rows-table', rows.table),
						partOf('rows-pages', rows.pages),
					]
				: []),
			...(isOver
				? [
						partOf('batch-actions', await batchActions(parts, batch)),
						partOf('announcement', endOf(batch)),
					]
				: []),
		],
	};
}
