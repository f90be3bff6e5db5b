import type { Connection } from './connection';
import { asPageRefusal } from './errors';
import { PagingError } from './pagesAhead';
import { callApi } from './request';
import { BATCH_STATUS, ORDER_BY, readBatch, readPage } from './wire';
import type { Batch, OrderBy, Page, StatusName } from './wire';

/** Batches a request: enough for most tasks in one, small enough to look up the newest quickly. */
const BATCHES_PER_PAGE = 100;

const STATUS_NAMES = new Map<unknown, StatusName>([
	[BATCH_STATUS.waiting, 'waiting'],
	[BATCH_STATUS.running, 'running'],
	[BATCH_STATUS.successful, 'successful'],
	[BATCH_STATUS.stopped, 'stopped'],
]);

/** The status of a batch in words (section 3); `unknown` for a value that is not listed there. */
export function statusName(batch: Batch): StatusName {
	return STATUS_NAMES.get(batch.status) ?? 'unknown';
}

/** Whether a batch will change no more: an unknown status counts when the batch has an end time. */
export function hasEnded(batch: Batch): boolean {
	const name = statusName(batch);
	if (name === 'unknown') return batch.endTime !== undefined && Number(batch.endTime) > 0;
	return name === 'successful' || name === 'stopped';
}

/** Where to look in the list of batches, and how far. */
interface Listing {
	orderBy?: OrderBy;
	/** Batches a request. */
	pageSize?: number;
	/** Answers to read at most. */
	mostPages?: number;
}

/** The batches of a task, one after the other (`GET /cloud/batches`, section 4.3). */
export async function* readBatches(
	connection: Connection,
	taskID: string,
	listing: Listing = {},
): AsyncGenerator<Batch> {
	for await (const batches of readBatchPages(connection, taskID, listing)) yield* batches;
}

/**
 * The batches of a task, page by page. A run that starts while the list is read moves batches to
 * later pages; each batch comes out once. The first answer settles the size of all pages: a service
 * may refuse the size that is asked for, or give fewer batches with or without saying so.
 */
export async function* readBatchPages(
	connection: Connection,
	taskID: string,
	{ orderBy = ORDER_BY.newest, pageSize = BATCHES_PER_PAGE, mostPages = Infinity }: Listing = {},
): AsyncGenerator<Batch[]> {
	const seen = new Set<string>();
	let answer = await fetchFirst(connection, taskID, orderBy, pageSize);
	const size = settledSize(answer);
	for (let page = 1; ; page++) {
		const fresh = answer.list.filter(({ batchID }) => !seen.has(String(batchID)));
		for (const { batchID } of fresh) seen.add(String(batchID));
		yield fresh;
		if (page >= mostPages || isLast(answer, page, size, fresh.length > 0)) return;
		answer = { asked: size, ...(await fetchBatches(connection, taskID, orderBy, page + 1, size)) };
	}
}

/** A page of the list of batches: its number, and the size of all pages of this list. */
export interface BatchPlace {
	page: number;
	size: number;
}

/**
 * One page of batches, newest first, and where the next one is if there is one. Without a place it is
 * the first, which settles the size.
 */
export async function readBatchPage(
	connection: Connection,
	taskID: string,
	place?: BatchPlace,
): Promise<{ batches: Batch[]; next?: BatchPlace }> {
	const { page = 1, size: asked = BATCHES_PER_PAGE } = place ?? {};
	const { newest } = ORDER_BY;
	const answer = place
		? { asked, ...(await fetchBatches(connection, taskID, newest, page, asked)) }
		: await fetchFirst(connection, taskID, newest, asked);
	const size = place ? asked : settledSize(answer);
	const next = isLast(answer, page, size, true) ? undefined : { page: page + 1, size };
	return { batches: answer.list, next };
}

/** The batch with this identifier, searched newest first; undefined when it is not found there. */
export async function findBatch(
	connection: Connection,
	taskID: string,
	batchID: string,
	listing: Listing = {},
): Promise<Batch | undefined> {
	for await (const batch of readBatches(connection, taskID, listing)) {
		if (String(batch.batchID) === batchID) return batch;
	}
	return undefined;
}

/** A page, and the size that was asked for. */
type SizedPage = Page<Batch> & { asked: number };

/** Page 1, and the size that was asked for in the end: one that is refused (9000001) is halved. */
async function fetchFirst(
	connection: Connection,
	taskID: string,
	orderBy: OrderBy,
	pageSize: number,
): Promise<SizedPage> {
	let firstRefusal: Error | undefined;
	for (let asked = pageSize; ; asked = Math.floor(asked / 2)) {
		const answer = await fetchBatches(connection, taskID, orderBy, 1, asked).catch(
			async (error: Error) => await asPageRefusal(error, 'always'),
		);
		if ('list' in answer) return { ...answer, asked };
		firstRefusal ??= answer.refused;
		if (asked === 1) throw firstRefusal;
	}
}

/** What was asked for, or less where the service says so, or gives less although there is more. */
function settledSize({ asked, list, pagination }: SizedPage): number {
	const { size: echoed = asked, total } = pagination;
	const size = echoed > 0 ? Math.min(asked, echoed) : asked;
	const isCapped = list.length > 0 && list.length < Math.min(size, total);
	return isCapped ? list.length : Math.max(size, list.length);
}

/**
 * The list ends at an empty page, and where its pages reach `total`. A full page that holds more than
 * `total` leaves shows that `total` is wrong: then the list ends where nothing new comes.
 */
function isLast(
	{ list, pagination }: SizedPage,
	page: number,
	size: number,
	hasNew: boolean,
): boolean {
	if (list.length === 0) return true;
	const left = pagination.total - (page - 1) * size - list.length;
	return left === 0 || (left < 0 && (list.length < size || !hasNew));
}

/** One page of `GET /cloud/batches`. */
async function fetchBatches(
	connection: Connection,
	taskID: string,
	orderBy: OrderBy,
	page: number,
	size: number,
): Promise<Page<Batch>> {
	const answer = await callApi(connection, {
		method: 'GET',
		path: '/cloud/batches',
		query: { page, size, taskID, orderBy },
		repeatable: 'always',
		read: (data) => readPage(data, readBatch),
	});
	const echoed = answer.pagination.page ?? page;
	if (echoed === page) return answer;
	throw new PagingError(
		`The service sent page ${echoed} when page ${page} was asked for`,
		'Batches would be missing or come twice. Report this to the service.',
	);
}
