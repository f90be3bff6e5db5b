import { sleep } from 'n8n-workflow';

import { CapAtEnd, pageAt } from './pageSize';
import { PagesAhead, PagingError } from './pagesAhead';
import type { FetchPage, PageAnswer } from './pagesAhead';
import { RepeatedPages } from './repeatedPages';
import type { Page } from './wire';

export interface ReadOptions {
	/** Items a page. */
	pageSize: number;
	/** Read no more than this many items. */
	limit?: number;
	/** Pages asked for at once. */
	concurrency: number;
	/** How many items there are by another word of the service than `total`, if there is one. */
	lineCount?: number;
	/** How many there are at least by that word. */
	leastCount?: number;
	/** Waits until items that are counted may have come; false where they have had their time. */
	waitForMore?: () => Promise<boolean>;
}

/** A page of the list. */
export interface Part<T> {
	/** Its items, up to the limit. */
	items: T[];
	page: number;
	/** How many items the page has, and how many belong on it by what the service has counted so far. */
	rows: number;
	places: number;
	/** The place behind its last one. */
	end: number;
	/** The highest `total` so far. */
	total: number;
	/** The `total` that came with this page. */
	counted: number;
	/** Whether items of this page have come while it was waited for them. */
	hasGrown?: boolean;
	/** The service refuses this page, whatever its size: the read ends before it. */
	refused?: Error;
	/** The earlier page that has the same items, also when this one was asked for again. */
	repeats?: number;
}

/** Pages that may appear after the first answer's total before the list is called endless. */
const maxGrownPages = 1_000;

/** Empty pages one after the other behind which nothing more is looked for. */
const maxEmptyPages = 20;

/**
 * Reads a paged list in order, with up to `concurrency` pages in flight (section 2.2).
 *
 * The first answer settles the size. From then on page p stands for the places (p - 1) * size to
 * p * size - 1, and the read ends where the places reach the highest `total`. A page with fewer items
 * than places is asked for once more, and the fuller answer is used; so is one whose `total` is below
 * what is known to be there, and a full one that equals an earlier one. Where items may come yet, a page
 * that is short is waited for. Why items are left out is not guessed: each part says how many belong on its
 * page, and whoever reads compares.
 */
export async function* readPages<T>(
	fetchPage: FetchPage<T>,
	options: ReadOptions,
): AsyncGenerator<Part<T>> {
	const reading = new AbortController();
	try {
		const fetch: FetchPage<T> = async (page, size) => await fetchPage(page, size, reading.signal);
		yield* pagesInOrder(new PagesAhead(fetch, options.concurrency), options);
	} finally {
		reading.abort();
	}
}

async function* pagesInOrder<T>(
	pages: PagesAhead<T>,
	options: ReadOptions,
): AsyncGenerator<Part<T>> {
	const { pageSize, limit = Infinity, lineCount, leastCount = 0 } = options;
	const capAtEnd = new CapAtEnd<T>(pages);
	const repeated = new RepeatedPages();
	let areRepeated = false;
	let size = Math.min(pageSize, limit);
	let done = 0;
	let came = 0;
	let total = 0;
	let firstTotal: number | undefined;
	let emptyPages = 0;

	for (;;) {
		pages.ask(done, size, Math.min(total, done + limit - came));
		const found = await wholePage(pages, { done, size, came, total }, options, capAtEnd);
		if ('refused' in found) {
			if (done < Math.max(total, leastCount)) yield refusedPart(found.refused, done, size, total);
			return;
		}
		let { answer } = found;
		({ size, total } = found);
		const page = done / size + 1;
		let repeats = repeated.earlier(answer.list, page, size);
		if (repeats !== undefined && !areRepeated) {
			answer = await fuller(answer, pages.again(done, size));
			total = Math.max(total, answer.pagination.total);
			repeats = repeated.earlier(answer.list, page, size);
			areRepeated = repeats !== undefined;
		}
		firstTotal ??= total;
		if (done - firstTotal > maxGrownPages * size) throw endless(firstTotal, done);

		const { list } = answer;
		const part = {
			items: list.slice(0, limit - came),
			page,
			rows: list.length,
			places: Math.max(0, Math.min(size, total - done)),
			end: done + size,
			total,
			counted: answer.pagination.total,
			hasGrown: found.hasGrown,
			repeats,
		};
		capAtEnd.note(list, done, size, total);
		emptyPages = list.length === 0 ? emptyPages + 1 : 0;
		came += list.length;
		done += size;

		// The next pages travel while this one is used; where none does yet, this one may be enough.
		if (pages.areInFlight) {
			pages.ask(done, size, Math.min(total, done + limit - came));
			await sendBeforeUse();
		}
		yield part;

		// Behind a full page there may be more than `total` says, unless something else says the same.
		const isLast = list.length < size || came === lineCount;
		if ((done >= total && isLast) || came >= limit || emptyPages === maxEmptyPages) return;
	}
}

/** How far a read has come: its next place, the size of its pages, and what it has found. */
interface Progress {
	done: number;
	size: number;
	came: number;
	total: number;
}

/**
 * The page of the next place, and the highest `total` by then. One with fewer items than places is asked
 * for once more, and then after each pause, while items may come yet: from the beginning, since how many
 * items page 1 has says how large pages are.
 */
async function wholePage<T>(
	pages: PagesAhead<T>,
	{ done, size, came, total: totalBefore }: Progress,
	{ limit = Infinity, leastCount = 0, waitForMore }: ReadOptions,
	capAtEnd: CapAtEnd<T>,
): Promise<WholePage<T> | { refused: Error }> {
	let total = totalBefore;
	let waitedWith = Infinity;
	for (;;) {
		const found = await pageAt(pages, done, size, capAtEnd, leastCount);
		if ('refused' in found) return found;
		let { answer } = found;
		total = Math.max(total, answer.pagination.total);
		const isShort = () =>
			answer.list.length < Math.min(found.size, Math.max(total, leastCount) - done);
		if (isShort()) {
			answer = await fuller(answer, pages.again(done, found.size));
			total = Math.max(total, answer.pagination.total);
		}
		const { length } = answer.list;
		const isWanted = isShort() && came + length < limit;
		// Page 1 was asked for before all others: what has come does not move them.
		const hasGrown = done > 0 && length > waitedWith;
		if (!isWanted || !(await waitForMore?.())) return { size: found.size, answer, total, hasGrown };
		waitedWith = Math.min(waitedWith, length);
		pages.forget();
	}
}

interface WholePage<T> {
	size: number;
	answer: Page<T>;
	total: number;
	hasGrown: boolean;
}

/** A page that the service refuses to give, without items. */
function refusedPart<T>(refused: Error, done: number, size: number, total: number): Part<T> {
	const page = done / size + 1;
	return { items: [], page, rows: 0, places: 0, end: done, total, counted: total, refused };
}

/** The page, or the answer to the same question asked again, if that has more items. */
async function fuller<T>(page: Page<T>, asked: Promise<PageAnswer<T>>): Promise<Page<T>> {
	const again = await asked;
	return 'list' in again && again.list.length >= page.list.length ? again : page;
}

/**
 * Lets what was just asked for get on its way, and n8n serve others. Answers come in groups: using
 * them one after the other at once would hold back the next requests until the last one is used.
 */
async function sendBeforeUse(): Promise<void> {
	await sleep(0);
}

function endless(first: number, now: number): PagingError {
	return new PagingError(
		'The list does not end',
		`It had ${first} entries when the read began, and ${now} have come since. Read it again when the batch has ended, or set a limit.`,
	);
}
