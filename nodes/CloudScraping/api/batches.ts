import type { Connection } from './connection';
import { asPageRefusal } from './errors';
import { readPages } from './pages';
import { readBatch, readPage } from './envelopeData';
import { callApi } from './request';
import { BATCH_STATUS, ORDER_BY } from './types';
import type { Batch, OrderBy, StatusName } from './types';

/** Batches a request: enough for most tasks in one, small enough to look up the newest quickly. */
const BATCHES_PER_PAGE = 100;

const STATUS_NAMES = new Map<number, StatusName>([
	[BATCH_STATUS.waiting, 'waiting'],
	[BATCH_STATUS.running, 'running'],
	[BATCH_STATUS.successful, 'successful'],
	[BATCH_STATUS.stopped, 'stopped'],
]);

/** The status of a batch in words (section 3); `unknown` for a number that is not listed there. */
export function statusName(batch: Batch): StatusName {
	return STATUS_NAMES.get(batch.status) ?? 'unknown';
}

/** Whether a batch will change no more: an unknown status counts when the batch has an end time. */
export function hasEnded(batch: Batch): boolean {
	const name = statusName(batch);
	if (name === 'unknown') return batch.endTime !== undefined && Number(batch.endTime) > 0;
	return name === 'successful' || name === 'stopped';
}

/** The batches of a task, one after the other (`GET /cloud/batches`, section 4.3). */
export async function* readBatches(
	connection: Connection,
	taskID: string,
	orderBy: OrderBy = ORDER_BY.newest,
	pageSize = BATCHES_PER_PAGE,
): AsyncGenerator<Batch> {
	const pages = readBatchPages(connection, taskID, orderBy, pageSize);
	for await (const batches of pages) yield* batches;
}

/**
 * The batches of a task, page by page. A run that starts while the list is read moves batches to
 * later pages; each batch comes out once.
 */
export async function* readBatchPages(
	connection: Connection,
	taskID: string,
	orderBy: OrderBy = ORDER_BY.newest,
	pageSize = BATCHES_PER_PAGE,
): AsyncGenerator<Batch[]> {
	const seen = new Set<string>();
	const pages = readPages((page, size) => fetchBatches(connection, taskID, orderBy, page, size), {
		pageSize,
		concurrency: 1,
	});
	for await (const { items } of pages) {
		yield items.filter(({ batchID }) => {
			const isNew = !seen.has(String(batchID));
			seen.add(String(batchID));
			return isNew;
		});
	}
}

/** The batch with this identifier, searched newest first; undefined when the task has none such. */
export async function findBatch(
	connection: Connection,
	taskID: string,
	batchID: string,
	pageSize = BATCHES_PER_PAGE,
): Promise<Batch | undefined> {
	const batches = readBatches(connection, taskID, ORDER_BY.newest, pageSize);
	for await (const batch of batches) {
		if (String(batch.batchID) === batchID) return batch;
	}
	return undefined;
}

/** One page of `GET /cloud/batches`; `refused` when the service does not accept the page size. */
async function fetchBatches(
	connection: Connection,
	taskID: string,
	orderBy: OrderBy,
	page: number,
	size: number,
) {
	return await callApi(connection, {
		method: 'GET',
		path: '/cloud/batches',
		query: { page, size, taskID, orderBy },
		repeatable: 'always',
		read: (data) => readPage(data, readBatch),
	}).catch(async (error: Error) => await asPageRefusal(error, 'always'));
}
