import type { Connection } from './connection';
import { asPageRefusal, isAnswered } from './errors';
import { PagingError } from './pagesAhead';
import { callApi } from './request';
import type { Repeatable } from './retries';
import { batchOrder, readBatch, readPage } from './wire';
import type { Batch, OrderBy, Page } from './wire';

/** Batches a request: enough for most tasks in one, small enough to look up the newest quickly. */
const batchesPerPage = 100;

/** Empty pages one after the other behind which nothing more is looked for. */
const mostEmptyPages = 2;

/** Where to look in the list of batches, and how far. */
export interface Listing {
	orderBy?: OrderBy;
	/** Batches a request. */
	pageSize?: number;
	/** Pages to read at most. */
	mostPages?: number;
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
}

/**
 * The batches of a task, page by page (`GET /cloud/batches`, section 4.3), by the rule of `readPages`:
 * the first answer settles the size, page p stands for the places (p - 1) * size to p * size - 1, a page
 * with fewer batches than places is asked for once more, and the list ends where the places reach the
 * highest `total`, behind a full page only where nothing follows: a service may count up to a bound.
 * Whoever needs all of them compares what came with what is counted. A run that starts while the list
 * is read moves batches to later pages; each batch comes out once.
 */
export async function* readBatchPages(
	connection: Connection,
	taskID: string,
	listing: Listing = {},
): AsyncGenerator<BatchPage, void> {
	const { pageSize = batchesPerPage, mostPages = Infinity } = listing;
	const { orderBy = batchOrder.newest, repeatable } = listing;
	const list = { connection, taskID, orderBy, repeatable };
	const first = await fetchFirst(list, pageSize);
	const { size, isCapped } = settledSize(first);
	const seen = new Set<string>();
	/** Those on the pages of the settled size. */
	const inPlace = new Set<string>();
	let answer: Page<Batch> = first;
	let page = 1;
	let total = 0;
	let emptyPages = 0;
	// A cap without a word and a batch left out look the same: page 1 is asked for again with its size.
	let isSettled = !isCapped;
	for (;;) {
		total = Math.max(total, answer.pagination.total);
		const batches = answer.list.filter(({ batchID }) => !seen.has(String(batchID)));
		for (const { batchID } of batches) seen.add(String(batchID));
		if (isSettled) for (const { batchID } of answer.list) inPlace.add(String(batchID));
		const listed = answer.list.length;
		emptyPages = listed === 0 ? emptyPages + 1 : 0;
		yield isSettled
			? { batches, listed, total, came: inPlace.size, counted: Math.min(page * size, total) }
			: { batches, listed, total, came: seen.size, counted: Math.min(first.asked, total) };

		if (page >= mostPages || emptyPages === mostEmptyPages) return;
		if (isSettled) {
			const mayGoOn = listed >= size && batches.length > 0;
			if (page * size >= total && !mayGoOn) return;
			page++;
		}
		isSettled = true;
		const next =
			(page - 1) * size < total
				? await fetchWhole(list, page, size, total)
				: await fetchBehind(list, page, size);
		if (!next) return;
		answer = next;
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
	const list = { connection, taskID, orderBy: batchOrder.newest };
	const { page, size, answer } = place
		? { ...place, answer: await fetchWhole(list, place.page, place.size, 0) }
		: await firstPlace(list);
	const { total } = answer.pagination;
	const isOver = isLast(page, size, total, answer.list.length);
	return { batches: answer.list, next: isOver ? undefined : { page: page + 1, size } };
}

async function firstPlace(list: BatchList): Promise<BatchPlace & { answer: Page<Batch> }> {
	const answer = await fetchFirst(list, batchesPerPage);
	return { page: 1, size: settledSize(answer).size, answer };
}

/** The service counts batches that it has not listed, also when it was asked once more. */
export function incompleteList(taskID: string, { came, counted }: Progress): PagingError {
	return new PagingError(
		`The service counts ${counted} batches of task ${taskID}, but lists ${came}`,
		'What is looked for may be among the others. Try again in a moment. If it stays, report this to the service.',
	);
}

/** The list that pages are of. */
interface BatchList {
	connection: Connection;
	taskID: string;
	orderBy: OrderBy;
	repeatable?: Repeatable;
}

/** A page, and the size that was asked for. */
type SizedPage = Page<Batch> & { asked: number };

/**
 * Page 1, and the size that was asked for in the end: one that is refused (9000001) is halved. One
 * without the batches that are counted is asked for once more.
 */
async function fetchFirst(list: BatchList, pageSize: number): Promise<SizedPage> {
	let firstRefusal: Error | undefined;
	let isAskedAgain = false;
	for (let asked = pageSize; ;) {
		const answer = await fetchPage(list, 1, asked).catch(
			async (error: Error) => await asPageRefusal(error, 'always'),
		);
		if ('list' in answer) {
			if (isAskedAgain || answer.list.length > 0 || answer.pagination.total === 0) {
				return { ...answer, asked };
			}
			isAskedAgain = true;
			continue;
		}
		firstRefusal ??= answer.refused;
		if (asked === 1) throw firstRefusal;
		asked = Math.floor(asked / 2);
	}
}

/** What was asked for, or less where the service says so, or gives less although there is more. */
function settledSize({ asked, list, pagination }: SizedPage): { size: number; isCapped: boolean } {
	const { size: echoed = asked, total } = pagination;
	const size = echoed > 0 ? Math.min(asked, echoed) : asked;
	const isCapped = list.length > 0 && list.length < Math.min(size, total);
	return { size: isCapped ? list.length : Math.max(size, list.length), isCapped };
}

/** A full page that holds more than `total` leaves shows that `total` is wrong. */
function isLast(page: number, size: number, total: number, length: number): boolean {
	const left = total - (page - 1) * size - length;
	return left < 0 ? length < size : page * size >= total;
}

/** A page; one with fewer batches than places is asked for once more, and the fuller answer is used. */
async function fetchWhole(
	list: BatchList,
	page: number,
	size: number,
	countedBefore: number,
): Promise<Page<Batch>> {
	const answer = await fetchPage(list, page, size);
	const total = Math.max(countedBefore, answer.pagination.total);
	if (answer.list.length >= Math.min(size, total - (page - 1) * size)) return answer;
	const again = await fetchPage(list, page, size);
	return again.list.length >= answer.list.length ? again : answer;
}

/** A page behind `total`; undefined where the service says that there is none. */
async function fetchBehind(
	list: BatchList,
	page: number,
	size: number,
): Promise<Page<Batch> | undefined> {
	return await fetchPage(list, page, size).catch(async (error: Error) => {
		const isRefused = error instanceof PagingError || isAnswered(error);
		return isRefused ? undefined : await Promise.reject(error);
	});
}

/** One page of `GET /cloud/batches`. */
async function fetchPage(
	{ connection, taskID, orderBy, repeatable = 'always' }: BatchList,
	page: number,
	size: number,
): Promise<Page<Batch>> {
	const answer = await callApi(connection, {
		method: 'GET',
		path: '/cloud/batches',
		query: { page, size, taskID, orderBy },
		repeatable,
		read: (data) => readPage(data, readBatch),
	});
	const echoed = answer.pagination.page ?? page;
	if (echoed === page) return answer;
	throw new PagingError(
		`The service sent page ${echoed} when page ${page} was asked for`,
		'Batches would be missing or come twice. Report this to the service.',
	);
}
