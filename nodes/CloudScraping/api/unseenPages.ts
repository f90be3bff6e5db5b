import { PagingError } from './pages';
import type { FetchPage, Part } from './pages';

/**
 * Reads what the service has not sent before for a deduplication ID (section 4.4), one page at a time.
 *
 * The specification leaves open whether the service drops duplicates before or after it cuts pages.
 * Dropped after, each page is short and one pass over all pages gets everything. Dropped before, what
 * is left moves to the front while the pages go on: so page 1 is asked for again until it is empty.
 *
 * What the service has sent is gone for the ID, so no more than `limit` is ever asked for.
 * `fetchPlain` asks without deduplication: it shows the page size of a service that gives less than
 * asked for without saying so, which a page that is short of duplicates cannot.
 */
export async function* readUnseenPages<T>(
	fetchUnseen: FetchPage<T>,
	fetchPlain: FetchPage<T>,
	{ pageSize, limit = Infinity }: { pageSize: number; limit?: number },
): AsyncGenerator<Part<T>> {
	let size = pageSize;
	let sizeIsKnown = false;
	let offset = 0;
	let total = Infinity;
	let highestTotal = 0;
	let read = 0;
	let firstRefusal: Error | undefined;

	for (;;) {
		const passed = offset >= total;
		const asked = Math.min(size, limit - read);
		if (asked === 0) return;
		const page = passed ? 1 : Math.floor(offset / asked) + 1;
		const answer = await fetchUnseen(page, asked);
		if ('refused' in answer) {
			firstRefusal ??= answer.refused;
			if (asked === 1) throw firstRefusal;
			size = Math.floor(asked / 2);
			continue;
		}

		const { list, pagination } = answer;
		highestTotal = Math.max(highestTotal, pagination.total);
		read += list.length;
		if (read > 2 * highestTotal + pageSize) throw endless(read, highestTotal);
		if (list.length > 0) yield { items: list, page, position: 1, total: pagination.total };
		if (passed) {
			if (list.length === 0) return;
			continue;
		}

		total = pagination.total;
		const echoed = pagination.size;
		if (echoed !== undefined && echoed > 0 && echoed < asked) size = echoed;
		else if (!sizeIsKnown && list.length < Math.min(asked, total - offset)) {
			size = Math.min(size, await givenSize(fetchPlain, page, asked));
		}
		sizeIsKnown = true;
		offset = page * Math.min(size, asked);
	}
}

/** The page size that the service gives where `asked` is asked for. */
async function givenSize<T>(fetchPlain: FetchPage<T>, page: number, asked: number) {
	const answer = await fetchPlain(page, asked);
	if ('refused' in answer) return asked;
	const { list, pagination } = answer;
	const expected = Math.min(asked, pagination.total - (page - 1) * asked);
	return list.length > 0 && list.length < expected ? list.length : asked;
}

function endless(read: number, total: number): PagingError {
	return new PagingError(
		'The list does not end',
		`The service says that there are ${total} entries, but sent ${read} as new. Report this to the service.`,
	);
}
