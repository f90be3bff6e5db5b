import type { Page } from '../wire';
import { Cursor } from './cursor';
import { PagingError } from './page';
import type { FetchPage } from './page';
import { wholePage } from './pageSize';
import { RepeatedPages } from './repeatedPages';

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
	minCount?: number;
	/** Waits until items that are counted may have come; false where they have had their time. */
	waitForMore?: () => Promise<boolean>;
}

/** A page of the list. */
export interface CountedPage<T> {
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
 * Reads the rows of a batch in order, with up to `concurrency` pages in flight. The read ends where the
 * places reach the highest `total`, behind a full page only where nothing follows. Where items may come
 * yet, a page that is short is waited for; a full one that equals an earlier one is asked for once more.
 * Why items are left out is not guessed: each page says how many belong on it, and whoever reads
 * compares.
 */
export async function* readPages<T>(
	fetchPage: FetchPage<T>,
	options: ReadOptions,
): AsyncGenerator<CountedPage<T>> {
	const reading = new AbortController();
	const { pageSize, limit = Infinity, concurrency, minCount } = options;
	const cursor = new Cursor<T>(async (page, size) => await fetchPage(page, size, reading.signal), {
		size: Math.min(pageSize, limit),
		concurrency,
		minCount,
	});
	try {
		yield* pagesInOrder(cursor, { ...options, limit });
	} finally {
		reading.abort();
	}
}

async function* pagesInOrder<T>(
	cursor: Cursor<T>,
	{ limit, lineCount, waitForMore }: ReadOptions & { limit: number },
): AsyncGenerator<CountedPage<T>> {
	const repeated = new RepeatedPages();
	let firstTotal: number | undefined;
	let came = 0;
	do {
		const left = limit - came;
		cursor.askAhead(left);
		const found = await patientPage(cursor, left, waitForMore);
		if ('refused' in found) {
			if (cursor.place < cursor.count) yield refusedPage(cursor, found.refused);
			return;
		}
		const { answer, repeats } = await repeated.check(cursor, found.answer);
		firstTotal ??= cursor.total;
		refuseEndless(cursor, firstTotal);
		const page = { ...countedPage(cursor, answer, left), hasGrown: found.hasGrown, repeats };
		came += page.rows;
		cursor.pass(answer);
		await cursor.sendAhead(limit - came);
		yield page;
		// Behind a full page there may be more than `total` says, unless something else says the same.
		const isLast = page.rows < cursor.size || came === lineCount;
		if (cursor.place >= cursor.total && isLast) return;
	} while (came < limit && cursor.emptyPages < maxEmptyPages);
}

/**
 * The page, which is asked for after each pause while it lacks items that are wanted and may come yet:
 * from the beginning, since how many items page 1 has says how large pages are.
 */
async function patientPage<T>(
	cursor: Cursor<T>,
	left: number,
	waitForMore?: ReadOptions['waitForMore'],
): Promise<{ answer: Page<T>; hasGrown: boolean } | { refused: Error }> {
	const { size } = cursor;
	let waitedWith = Infinity;
	for (;;) {
		const answer = await wholePage(cursor);
		if ('refused' in answer) return answer;
		const { length } = answer.list;
		// Page 1 was asked for before all others: what has come does not move them.
		const hasGrown = cursor.place > 0 && length > waitedWith;
		const isWanted = cursor.lacksItems(answer) && length < left;
		if (!isWanted || !(await waitForMore?.())) return { answer, hasGrown };
		waitedWith = Math.min(waitedWith, length);
		cursor.restart(size);
	}
}

function countedPage<T>(
	cursor: Cursor<T>,
	{ list, pagination }: Page<T>,
	left: number,
): CountedPage<T> {
	const { page, place, size, end, total } = cursor;
	const places = Math.max(0, Math.min(size, total - place));
	const items = list.slice(0, left);
	return { items, page, rows: list.length, places, end, total, counted: pagination.total };
}

/** A page that the service refuses to give, without items. */
function refusedPage<T>({ page, place, total }: Cursor<T>, refused: Error): CountedPage<T> {
	return { items: [], page, rows: 0, places: 0, end: place, total, counted: total, refused };
}

function refuseEndless({ place, size }: Cursor<unknown>, firstTotal: number): void {
	if (place - firstTotal <= maxGrownPages * size) return;
	throw new PagingError(
		'The list does not end',
		`It had ${firstTotal} entries when the read began, and ${place} have come since. Read it again when the batch has ended, or set a limit.`,
	);
}
