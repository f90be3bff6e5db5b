import { sleep } from 'n8n-workflow';

import type { Page } from './types';

/** Asks for a page; `refused` when the service does not accept the page size (9000001). */
export type FetchPage<T> = (
	page: number,
	size: number,
	/** Aborts when the read is over, so that no page is on its way for nobody. */
	signal?: AbortSignal,
) => Promise<Page<T> | { refused: Error }>;

export interface ReadOptions {
	/** Items a page. */
	pageSize: number;
	/** Read no more than this many items. */
	limit?: number;
	/** Pages asked for at once. */
	concurrency: number;
}

/** Items that follow one another, and where they came from. */
export interface Part<T> {
	items: T[];
	page: number;
	/** Position in the page of the first item, from 1. */
	position: number;
	/** How many items there are, by the answer that these came with. */
	total: number;
}

/** The service answers in a way in which no read can be whole. */
export class PagingError extends Error {
	override name = 'PagingError';

	constructor(
		message: string,
		/** More may be said of what the list is part of. */
		public description: string,
	) {
		super(message);
	}
}

/** Pages that may appear after the first answer's total before the read is called endless. */
const MAX_GROWN_PAGES = 1_000;

/**
 * Reads all items of a paged list in order, with up to `concurrency` pages in flight (section 2.2).
 *
 * The size is constant within a read, unless the service gives fewer items than were asked for: then
 * the read goes on with the size that it gives, from the first item that is still missing. A page may
 * also be short because the service leaves items out of it (deduplication does): then the size stays.
 * A short page is not the end; the end is where the answer's own `total` is reached.
 *
 * A service that begins to give fewer items behind page 1 also begins its pages elsewhere: such an
 * answer is not used.
 */
export async function* readPages<T>(
	fetchPage: FetchPage<T>,
	options: ReadOptions,
): AsyncGenerator<Part<T>> {
	const reading = new AbortController();
	try {
		yield* pagesInOrder((page, size) => fetchPage(page, size, reading.signal), options);
	} finally {
		reading.abort();
	}
}

async function* pagesInOrder<T>(
	fetchPage: FetchPage<T>,
	{ pageSize, limit = Infinity, concurrency }: ReadOptions,
): AsyncGenerator<Part<T>> {
	let size = Math.min(pageSize, limit);
	// The next place of the list: behind the items so far, and behind places that hold none.
	let place = 0;
	let given = 0;
	let total = Infinity;
	let shortBefore = false;
	let leavesOut = false;
	let firstRefusal: Error | undefined;
	// The page that is needed next, and those after it. A Map would do, but V8 then keeps pages that
	// were used long ago until it collects everything: a table that was outgrown leads to the next one.
	const inFlight: Array<ReturnType<FetchPage<T>>> = [];
	const growth = new GrowthGuard();

	const askFrom = (page: number) => {
		const known = total === Infinity ? place + 1 : Math.min(total, place + limit - given);
		for (let next = page + inFlight.length; next < page + concurrency; next++) {
			if ((next - 1) * size >= known) return;
			inFlight.push(startFetch(fetchPage, next, size));
		}
	};

	while (total === Infinity || (place < total && given < limit)) {
		const page = Math.floor(place / size) + 1;
		askFrom(page);
		const answer = await (inFlight.shift() ?? fetchPage(page, size));

		if ('refused' in answer) {
			firstRefusal ??= answer.refused;
			if (size === 1) throw firstRefusal;
			size = Math.floor(size / 2);
			inFlight.length = 0;
			continue;
		}

		const { list, pagination } = answer;
		checkEcho(page, pagination.page);
		growth.check(page, size, pagination.total);
		// Of pages in flight together, a later one may have been counted earlier. Asked alone, it counts.
		const isAlone = total === Infinity || shortBefore;
		total = isAlone ? pagination.total : Math.max(total, pagination.total);
		const used = usedSize(size, answer);
		if (page > 1 && used < size) {
			size = used;
			shortBefore = false;
			inFlight.length = 0;
			continue;
		}
		const pageStart = (page - 1) * size;
		const pageEnd = pageStart + size;
		const skip = place - pageStart;
		const fresh = list.slice(skip, skip + limit - given);
		const missing = Math.min(size, total - pageStart) - list.length;
		const isWhole = missing <= 0 && list.length <= size;

		let why: WhyShort | undefined;
		if (missing > 0 && !leavesOut && used === size) {
			inFlight.length = 0;
			// Without a word from the service, a second short answer needs an explanation. Until it has
			// one, only page 1 is sure to begin where it should.
			if (shortBefore) why = await explainShortPage(fetchPage, { page, size, total, list });
			if (why === 'ended') throw missingItems(page, given, total);
			if (why === 'beginsElsewhere') size = list.length;
			if (why === 'beginsElsewhere' || (page > 1 && !shortBefore)) {
				shortBefore = why === undefined;
				continue;
			}
		}
		// The next page travels while this one is used; where none does yet, this one may be enough.
		if (isWhole && inFlight.length > 0) {
			askFrom(page + 1);
			await sendBeforeUse();
		}
		if (fresh.length > 0) {
			yield { items: fresh, page, position: skip + 1, total };
			place += fresh.length;
			given += fresh.length;
		}

		if (isWhole) {
			shortBefore = false;
			continue;
		}
		if (given >= limit) return;
		leavesOut ||= why === 'leavesOut';
		if (leavesOut && list.length < size && (pageEnd < total || shortBefore)) {
			place = pageEnd;
			shortBefore = false;
			continue;
		}
		// Fewer or more than asked for: ask again from the first missing item, with the size that the
		// service uses.
		inFlight.length = 0;
		if (list.length > size) size = list.length;
		else if (used < size) size = used;
		else if (typeof why === 'object') size = why.clampedTo;
		else shortBefore = true;
	}
}

/** The page size that the service says it has used, where that is less than asked for and can be true. */
function usedSize<T>(asked: number, { list, pagination }: Page<T>): number {
	const echoed = pagination.size ?? asked;
	return echoed > 0 && list.length <= echoed ? Math.min(echoed, asked) : asked;
}

type WhyShort = 'ended' | 'leavesOut' | 'beginsElsewhere' | { clampedTo: number };

/**
 * Why a page stays short. Smaller pages that begin where it should tell: where the service gives so
 * many items at a time at most, they are full; where it leaves items out, one of them is short as
 * well; where the page begins elsewhere, they hold other items.
 */
async function explainShortPage<T>(
	fetchPage: FetchPage<T>,
	{ page, size, total, list }: { page: number; size: number; total: number; list: T[] },
): Promise<WhyShort> {
	const start = (page - 1) * size;
	if (list.length === 0) {
		if (start + size >= total) return 'ended';
		const next = await fetchPage(page + 1, size);
		return 'list' in next && next.list.length > 0 ? 'leavesOut' : 'ended';
	}
	const smaller = largestDivisor(start, list.length);
	for (let read = 0; read < list.length; read += smaller) {
		const answer = await fetchPage((start + read) / smaller + 1, smaller);
		if ('refused' in answer) return 'beginsElsewhere';
		if (page > 1 && !agree(list.slice(read), answer.list)) return 'beginsElsewhere';
		if (answer.list.length < Math.min(smaller, list.length - read)) return 'leavesOut';
	}
	return { clampedTo: smaller };
}

/** Whether the items are the same, as far as both lists go. */
function agree<T>(one: T[], other: T[]): boolean {
	const both = Math.min(one.length, other.length);
	return JSON.stringify(one.slice(0, both)) === JSON.stringify(other.slice(0, both));
}

/** The largest number up to `most` that pages can have for one of them to begin at `start`. */
function largestDivisor(start: number, most: number): number {
	let divisor = most;
	while (start % divisor !== 0) divisor--;
	return divisor;
}

/**
 * Lets what was just asked for get on its way, and n8n serve others. Answers come in groups: using
 * them one after the other at once would hold back the next requests until the last one is used.
 */
async function sendBeforeUse(): Promise<void> {
	await sleep(0);
}

/** A page that is abandoned, because an earlier one failed, must not become an unhandled rejection. */
function startFetch<T>(fetchPage: FetchPage<T>, page: number, size: number) {
	const promise = fetchPage(page, size);
	promise.catch(() => {});
	return promise;
}

function checkEcho(asked: number, echoed: number | undefined): void {
	if (echoed === undefined || echoed === asked) return;
	throw new PagingError(
		`The service sent page ${echoed} when page ${asked} was asked for`,
		'Nothing was returned, because rows would be missing or doubled. Report this to the service.',
	);
}

function missingItems(page: number, given: number, total: number): PagingError {
	return new PagingError(
		`The service says that there are ${total} entries, but stopped after ${given}`,
		`Page ${page} had no more. Nothing was returned, because rows would be missing. Try again later.`,
	);
}

/** Stops a read whose end moves away as fast as it is read. Equal pages alone may be equal rows. */
class GrowthGuard {
	private firstTotal = Infinity;

	private grownPages = 0;

	check(page: number, size: number, total: number): void {
		if (this.firstTotal === Infinity) this.firstTotal = total;
		if ((page - 1) * size >= this.firstTotal) this.grownPages++;
		if (this.grownPages <= MAX_GROWN_PAGES) return;
		throw new PagingError(
			'The list does not end',
			`It had ${this.firstTotal} entries when the read began, and has grown by ${this.grownPages} pages since. Read it again when the run has ended, or set a limit.`,
		);
	}
}
