import type { Page } from '../wire';
import type { Cursor } from './cursor';
import type { PageAnswer } from './page';

/**
 * The page at the cursor, asked for once more if it lacks items; or why the service refuses it, whatever
 * its size. Page 1, which may have come already, settles the size.
 */
export async function wholePage<T>(cursor: Cursor<T>, page1?: Page<T>): Promise<PageAnswer<T>> {
	const answer =
		cursor.place > 0
			? await laterPage(cursor)
			: await settled(cursor, page1 ?? (await firstPage(cursor)));
	return 'list' in answer && cursor.lacksItems(answer) ? await cursor.fuller(answer) : answer;
}

/** Page 1 as it comes, of a size that is accepted; throws where none is. */
export async function firstPage<T>(cursor: Cursor<T>): Promise<Page<T>> {
	const answer = await accepted(cursor, await cursor.take());
	// A lagging replica shows no size; asked again, another one may.
	const isLagging = answer.list.length === 0 && cursor.count > 0;
	return isLagging ? await accepted(cursor, await cursor.take()) : answer;
}

/** Page 1 of the size that it shows: asked for again where it is capped. */
export async function settled<T>(cursor: Cursor<T>, first: Page<T>): Promise<Page<T>> {
	const isFinal = !isCapped(first, cursor.size);
	cursor.size = settledSize(first, cursor.size);
	if (isFinal) return first;
	const answer = await accepted(cursor, await cursor.take());
	cursor.size = Math.max(answer.list.length, shownSize(answer, cursor.size));
	return answer;
}

/**
 * The size of pages as page 1 shows it: the size asked for; or the smaller one that the service echoes;
 * or as many items as came, where those are more, or where the page is capped.
 */
export function settledSize<T>(first: Page<T>, asked: number): number {
	const { length } = first.list;
	return isCapped(first, asked) ? length : Math.max(length, shownSize(first, asked));
}

/**
 * Whether page 1 is shorter than the size and `total` without a word. A cap and items left out look the
 * same: asked for again with as many items as came, its places are right in both cases.
 */
export function isCapped<T>(first: Page<T>, asked: number): boolean {
	const { length } = first.list;
	const most = Math.min(asked, first.pagination.total);
	return length > 0 && length < most && shownSize(first, asked) === asked;
}

/** The answer, or where its size is refused that of half the size, and so on; throws where none is accepted. */
export async function acceptedPage<T>(
	answer: PageAnswer<T>,
	{ place, size }: { place: number; size: number },
	ask: (size: number) => Promise<PageAnswer<T>>,
): Promise<Page<T>> {
	if ('list' in answer) return answer;
	for (let half = size; half > 1;) {
		half = largestDivisor(place, Math.floor(half / 2));
		const smaller = await ask(half);
		if ('list' in smaller) return smaller;
	}
	throw answer.refused;
}

async function accepted<T>(cursor: Cursor<T>, answer: PageAnswer<T>): Promise<Page<T>> {
	return await acceptedPage(answer, cursor, async (size) => {
		cursor.size = size;
		return await cursor.take();
	});
}

/** A page behind page 1: where the service makes it smaller, one that begins at the same place. */
async function laterPage<T>(cursor: Cursor<T>): Promise<PageAnswer<T>> {
	for (;;) {
		const taken = await cursor.take();
		if ('refused' in taken && !(await cursor.takeOne())) return taken;
		const answer = await accepted(cursor, taken);
		const shown = shownSize(answer, cursor.size);
		const isCut = shown === cursor.size && (await cursor.capAtEnd.isAt(cursor, answer));
		const size = isCut ? answer.list.length : shown;
		if (size === cursor.size) return answer;
		cursor.size = largestDivisor(cursor.place, size);
	}
}

/** The size that the service says it has used, where that is less than asked for and can be true. */
function shownSize<T>({ list, pagination }: Page<T>, asked: number): number {
	const echoed = pagination.size ?? asked;
	return echoed > 0 && list.length <= echoed ? Math.min(echoed, asked) : asked;
}

/** The largest size up to `most` with which a page begins at `place`. */
function largestDivisor(place: number, most: number): number {
	let divisor = most;
	while (place % divisor !== 0) divisor--;
	return divisor;
}
