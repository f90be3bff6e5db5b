import type { Connection } from '../connection';
import { asPageRefusal, isAnswered } from '../errors';
import { callApi } from '../request';
import type { Repeatable } from '../retries';
import { batchOrder, readBatch, readPage } from '../wire';
import type { Batch, OrderBy, Page } from '../wire';
import { Cursor } from './cursor';
import { PagingError } from './page';
import type { FetchPage, PageAnswer } from './page';
import { firstPage, isCapped, settled, settledSize, wholePage } from './pageSize';

/** Batches a request: enough for most tasks in one, small enough to look up the newest quickly. */
const batchesPerPage = 100;

/** Empty pages one after the other behind which nothing more is looked for. */
const maxEmptyPages = 2;

/** Where to look in the list of batches, and how far. */
export interface Listing {
	orderBy?: OrderBy;
	/** Batches a request. */
	pageSize?: number;
	/** Pages to read at most. */
	maxPages?: number;
	/** Whether a page that fails is asked for again. */
	repeatable?: Repeatable;
}

/** How much of the list has come. */
export interface Progress {
	/** Batches that were listed so far. */
	came: number;
	/** Batches that the service counts up to there. */
	counted: number;
}

/** A page of the list of batches. */
export interface BatchPage extends Progress {
	/** Those that were on no earlier page. */
	batches: Batch[];
	/** How many are on the page. */
	listed: number;
	/** How many the task has by the service's word. */
	total: number;
	/** How many entries up to here were of batches that had come before. */
	repeated: number;
}

/**
 * The batches of a task, page by page (`GET /cloud/batches`, section 4.3). A first page that is capped
 * comes out as it is, and then again with its size: most who look for a batch find it there. The list ends
 * where the places reach the highest `total`, behind a full page only where nothing follows: a service may
 * count up to a bound. Whoever needs all of them compares what came with what is counted. A batch that starts
 * while the list is read moves batches to later pages; each batch comes out once.
 */
export async function* readBatchPages(
	connection: Connection,
	taskID: string,
	listing: Listing = {},
): AsyncGenerator<BatchPage, void> {
	const { pageSize = batchesPerPage, maxPages = Infinity } = listing;
	const cursor = new Cursor(fetchBatches(connection, taskID, listing), { size: pageSize });
	const listed: Listed = { out: new Set(), came: new Set(), entries: 0 };
	const first = await firstPage(cursor);
	if (isCapped(first, cursor.size)) {
		yield batchPage(cursor, first, listed);
		if (maxPages === 1) return;
		// None of them may count where it stands on a later page.
		listed.came.clear();
		listed.entries = 0;
	}
	// An empty one was asked for twice.
	const isEmpty = first.list.length === 0;
	let answer = isEmpty ? await settled(cursor, first) : await nextPage(cursor, first);
	while (answer) {
		const page = batchPage(cursor, answer, listed);
		yield page;
		const mayGoOn = page.listed >= cursor.size && page.batches.length > 0;
		cursor.pass(answer);
		if (cursor.page > maxPages || cursor.emptyPages === maxEmptyPages) return;
		if (cursor.place >= cursor.total && !mayGoOn) return;
		answer = await nextPage(cursor);
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
	{ page, size }: BatchPlace = { page: 1, size: batchesPerPage },
): Promise<{ batches: Batch[]; next?: BatchPlace }> {
	const fetchPage = fetchBatches(connection, taskID);
	const cursor = new Cursor(fetchPage, { place: (page - 1) * size, size });
	const answer = page === 1 ? await firstPage(cursor) : await wholePage(cursor);
	if ('refused' in answer) throw answer.refused;
	if (page === 1) cursor.size = settledSize(answer, cursor.size);
	const next = { page: cursor.page + 1, size: cursor.size };
	return { batches: answer.list, next: isLast(cursor, answer) ? undefined : next };
}

/** The service counts batches that it has not listed, also when it was asked once more. */
export function incompleteList(taskID: string, { came, counted }: Progress): PagingError {
	return new PagingError(
		`The service counts ${counted} batches of task ${taskID}, but lists ${came}`,
		'What you are looking for may be among the others. Try again in a moment. If that does not help, report this to the service.',
	);
}

interface Listed {
	/** IDs of the batches that came out. */
	out: Set<string>;
	/** Of those that count as come. */
	came: Set<string>;
	/** How many entries these were. */
	entries: number;
}

function batchPage(
	{ end, total }: Cursor<Batch>,
	{ list }: Page<Batch>,
	listed: Listed,
): BatchPage {
	const { out, came } = listed;
	const ids = list.map(({ batchID }) => String(batchID));
	const batches = list.filter((_batch, index) => !out.has(ids[index]));
	for (const id of ids) {
		out.add(id);
		came.add(id);
	}
	listed.entries += list.length;
	return {
		batches,
		listed: list.length,
		total,
		came: came.size,
		counted: Math.min(end, total),
		repeated: listed.entries - came.size,
	};
}

/** The next page; undefined where the service says, behind what it counts, that there is none. */
async function nextPage(
	cursor: Cursor<Batch>,
	first?: Page<Batch>,
): Promise<Page<Batch> | undefined> {
	const answer = await wholePage(cursor, first).catch((refused: Error) => ({ refused }));
	if ('list' in answer) return answer;
	const { refused } = answer;
	const isNoPage = refused instanceof PagingError || isAnswered(refused);
	if (cursor.place < cursor.total || !isNoPage) throw refused;
	return undefined;
}

/** A full page that holds more than `total` leaves shows that `total` is wrong. */
function isLast({ place, end, size, total }: Cursor<Batch>, { list }: Page<Batch>): boolean {
	return place + list.length > total ? list.length < size : end >= total;
}

/**
 * Asks for pages of `GET /cloud/batches`. A size that the service echoes is heard of a first page that is as
 * long: where batches are left out of it, its own length settles the size.
 */
function fetchBatches(
	connection: Connection,
	taskID: string,
	{ orderBy = batchOrder.newest, repeatable = 'always' }: Listing = {},
): FetchPage<Batch> {
	return async (page, size) => {
		const answer: PageAnswer<Batch> = await callApi<Page<Batch>>(connection, {
			method: 'GET',
			path: '/cloud/batches',
			query: { page, size, taskID, orderBy },
			repeatable,
			read: (data) => readPage(data, readBatch),
		}).catch(async (error: Error) =>
			page === 1 ? await asPageRefusal(error, 'always') : await Promise.reject(error),
		);
		if ('refused' in answer) return answer;
		const { list, pagination } = answer;
		const isShort = list.length < Math.min(pagination.size ?? size, pagination.total);
		const isHeard = page === 1 && (list.length === 0 || !isShort);
		return isHeard ? answer : { list, pagination: { ...pagination, size } };
	};
}
