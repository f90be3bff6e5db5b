import { CapAtEnd, pageAt } from './pageSize';
import type { Part, ReadOptions } from './pages';
import { PagesAhead, PagingError } from './pagesAhead';
import type { FetchPage } from './pagesAhead';

/**
 * Reads what the service has not sent before for a deduplication ID (section 4.4), one page at a time
 * and in the service's order. What it has sent is gone for the ID, so no more than `limit` is ever
 * asked for.
 *
 * The specification leaves open whether the service drops duplicates before or after it cuts pages.
 * Page 1, asked for a second time, tells: rows mean before, and page 1 is read until it is empty; none
 * mean after, and the other pages follow, to the first behind `total` that has no rows when it is asked
 * for without deduplication (`fetchPlain`), or until all `lineCount` rows have come. Where the service makes pages smaller on the way, what
 * comes by twice is dropped by the service.
 */
export async function* readUnseenPages<T>(
	fetchUnseen: FetchPage<T>,
	fetchPlain: FetchPage<T>,
	{ pageSize, limit = Infinity, lineCount }: Omit<ReadOptions, 'concurrency'>,
): AsyncGenerator<Part<T>> {
	let size = Math.min(pageSize, limit);
	let total = 0;
	let read = 0;

	/** The page with the item at `place`, of a size that the service accepts. */
	const pageWith = async (place: number): Promise<Part<T> & { end: number }> => {
		let firstRefusal: Error | undefined;
		for (;;) {
			const asked = Math.min(size, limit - read);
			const page = Math.floor(place / asked) + 1;
			const answer = await fetchUnseen(page, asked);
			if ('refused' in answer) {
				firstRefusal ??= answer.refused;
				if (asked === 1) throw firstRefusal;
				size = Math.floor(asked / 2);
				continue;
			}
			const { list: items, pagination } = answer;
			total = Math.max(total, pagination.total);
			read += items.length;
			if (read > 2 * total + pageSize) throw endless(read, total);
			const { length: rows } = items;
			const end = page * asked;
			return { items, page, rows, places: rows, total, counted: total, end };
		}
	};

	const first = await pageWith(0);
	yield first;
	const isShort = first.rows < Math.min(size, total);
	let dropsBefore = false;
	while (read < limit) {
		const again = await pageWith(0);
		if (again.rows === 0) break;
		dropsBefore = true;
		yield again;
	}
	if (dropsBefore || read >= limit) return;

	let place = size;
	/** A page that is short of duplicates does not show its size; one without deduplication does. */
	const settleSize = async () => {
		const plain = new PagesAhead(fetchPlain, 1);
		const settled = await pageAt(plain, 0, size, new CapAtEnd(plain));
		if ('refused' in settled) throw settled.refused;
		place = (place / size) * settled.size;
		({ size } = settled);
	};

	let isSettled = !isShort;
	while (read < limit) {
		const isBehind = place >= total;
		if (isBehind) {
			const rows = read === lineCount ? 0 : await countAt(fetchPlain, place, size);
			if (rows === 0) return;
			// Pages got smaller on the way, and are where they were not looked for; what has come is dropped.
			if (limit < Infinity && rows < size) {
				size = rows;
				place = 0;
			}
		}
		// The last rows of a limit are asked for by their places.
		if (!isSettled && (isBehind || limit < Infinity)) {
			await settleSize();
			isSettled = true;
		}
		const part = await pageWith(place);
		yield part;
		place = part.end;
	}
}

/** How many items the page at `place` has; a service that refuses the size shows a single one. */
async function countAt<T>(fetchPlain: FetchPage<T>, place: number, size: number): Promise<number> {
	const answer = await fetchPlain(Math.floor(place / size) + 1, size);
	if ('list' in answer) return answer.list.length;
	if (size === 1) throw answer.refused;
	return await countAt(fetchPlain, place, 1);
}

function endless(read: number, total: number): PagingError {
	return new PagingError(
		'The list does not end',
		`The service says that there are ${total} entries, but sent ${read} as new. Report this to the service.`,
	);
}
