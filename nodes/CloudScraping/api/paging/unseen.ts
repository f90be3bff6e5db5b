import { Cursor } from './cursor';
import { PagingError } from './page';
import type { FetchPage } from './page';
import { acceptedPage, firstPage, settled } from './pageSize';
import type { CountedPage, ReadOptions } from './rows';

/**
 * Reads what the service has not sent before for a deduplication ID (section 4.4), one page at a time
 * and in the service's order. What it has sent is gone for the ID, so no more than `limit` is ever
 * asked for.
 *
 * The specification leaves open whether the service drops duplicates before or after it cuts pages.
 * Page 1, asked for a second time, tells: rows mean before, and page 1 is read until it is empty; none
 * mean after, and the other pages follow. Where the service makes pages smaller on the way, what comes
 * by twice is dropped by the service.
 */
export async function* readUnseenPages<T>(
	fetchUnseen: FetchPage<T>,
	fetchPlain: FetchPage<T>,
	{ pageSize, limit = Infinity, lineCount }: Omit<ReadOptions, 'concurrency'>,
): AsyncGenerator<CountedPage<T>> {
	const size = Math.min(pageSize, limit);
	const read = { fetchUnseen, fetchPlain, pageSize, limit, lineCount, size, total: 0, came: 0 };
	const first = await pageWith(read, 0);
	yield first;
	const isSettled = first.rows >= Math.min(read.size, read.total);
	let dropsBefore = false;
	while (read.came < limit) {
		const again = await pageWith(read, 0);
		if (again.rows === 0) break;
		dropsBefore = true;
		yield again;
	}
	if (!dropsBefore) yield* pagesBehind(read, isSettled);
}

interface Read<T> {
	fetchUnseen: FetchPage<T>;
	fetchPlain: FetchPage<T>;
	pageSize: number;
	limit: number;
	lineCount?: number;
	/** The size that the service accepts, the highest `total`, and how many items have come so far. */
	size: number;
	total: number;
	came: number;
}

/** The page with the item at `place`. */
async function pageWith<T>(read: Read<T>, place: number): Promise<CountedPage<T>> {
	let size = Math.min(read.size, read.limit - read.came);
	const ask = async (asked: number) => {
		size = asked;
		return await read.fetchUnseen(Math.floor(place / size) + 1, size);
	};
	const asked = size;
	const answer = await acceptedPage(await ask(asked), { place: 0, size }, ask);
	if (size < asked) read.size = size;
	const { list: items, pagination } = answer;
	const { length: rows } = items;
	const total = Math.max(read.total, pagination.total);
	Object.assign(read, { total, came: read.came + rows });
	if (read.came > 2 * total + read.pageSize) throw endless(read);
	const page = Math.floor(place / size) + 1;
	return { items, page, rows, places: rows, end: page * size, total, counted: total };
}

/**
 * The pages behind page 1, to the first one behind `total` that has no rows without deduplication, or
 * until all `lineCount` rows have come. `isSettled`: page 1 has shown the size of pages.
 */
async function* pagesBehind<T>(read: Read<T>, isSettled: boolean): AsyncGenerator<CountedPage<T>> {
	const hasLimit = read.limit < Infinity;
	let isOpen = !isSettled;
	for (let place = read.size; read.came < read.limit;) {
		const isBehind = place >= read.total;
		if (isBehind) {
			if (read.came === read.lineCount) return;
			const rows = await countAt(read.fetchPlain, place, read.size);
			if (rows === 0) return;
			// Pages got smaller on the way, and are where they were not looked for; what has come is dropped.
			if (hasLimit && rows < read.size) {
				read.size = rows;
				place = 0;
			}
		}
		// The last rows of a limit are asked for by their places.
		if (isOpen && (isBehind || hasLimit)) {
			place /= read.size;
			read.size = await plainSize(read);
			place *= read.size;
			isOpen = false;
		}
		const page = await pageWith(read, place);
		yield page;
		place = page.end;
	}
}

/** The size of pages without deduplication: one that is short of duplicates does not show it. */
async function plainSize<T>({ fetchPlain, size }: Read<T>): Promise<number> {
	const cursor = new Cursor(fetchPlain, { size });
	await settled(cursor, await firstPage(cursor));
	return cursor.size;
}

/** How many items the page at `place` has; a service that refuses the size shows a single one. */
async function countAt<T>(fetchPlain: FetchPage<T>, place: number, size: number): Promise<number> {
	const answer = await fetchPlain(Math.floor(place / size) + 1, size);
	if ('list' in answer) return answer.list.length;
	if (size === 1) throw answer.refused;
	return await countAt(fetchPlain, place, 1);
}

function endless<T>({ came, total }: Read<T>): PagingError {
	return new PagingError(
		'The list does not end',
		`The service says that there are ${total} entries, but sent ${came} as new. Report this to the service.`,
	);
}
