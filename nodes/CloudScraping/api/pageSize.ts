import type { PagesAhead } from './pagesAhead';
import type { Page } from './wire';

/**
 * The page that begins at place `done`, and the size that it has. For page 1 that is the size asked
 * for; or the smaller one that the service echoes; or as many items as came, where it gives more; or, where it is not empty and shorter than both the
 * size and `total`, as many items as it has, and then it is asked for again: a cap
 * without a word and an item left out look the same, and asking again makes the places right in both
 * cases. A size that is refused, or made smaller later, is replaced by one whose pages begin at `done`, too.
 * Behind page 1 a service may refuse what is too far back: it is `refused` where a single item is, too.
 */
export async function pageAt<T>(
	pages: PagesAhead<T>,
	done: number,
	asked: number,
	capAtEnd: CapAtEnd<T>,
	leastCount = 0,
): Promise<{ size: number; answer: Page<T> } | { refused: Error }> {
	let size = asked;
	let isSettled = done > 0;
	let isLagging = false;
	let firstRefusal: Error | undefined;
	for (;;) {
		const answer = await pages.take(done, size);
		if ('refused' in answer) {
			if (done > 0 && !firstRefusal) {
				const alone = await pages.again(done, 1);
				if ('refused' in alone) return answer;
			}
			firstRefusal ??= answer.refused;
			if (size === 1) throw firstRefusal;
			size = largestDivisor(done, Math.floor(size / 2));
			continue;
		}
		const { list, pagination } = answer;
		// A lagging replica shows no size; asked again, another one may.
		const isCounted = pagination.total > 0 || leastCount > 0;
		if (!isSettled && !isLagging && list.length === 0 && isCounted) {
			isLagging = true;
			continue;
		}
		const echoed = echoedSize(answer, size);
		if (done === 0 && list.length > size) return { size: list.length, answer };
		if (echoed < size) {
			if (done === 0) return { size: echoed, answer };
			size = largestDivisor(done, echoed);
		} else if (!isSettled && list.length > 0 && list.length < Math.min(size, pagination.total)) {
			size = list.length;
			isSettled = true;
		} else if (await capAtEnd.isAt(done, size, list)) {
			size = largestDivisor(done, list.length);
		} else return { size, answer };
	}
}

/** The size that the service says it has used, where that is less than asked for and can be true. */
function echoedSize<T>({ list, pagination }: Page<T>, asked: number): number {
	const echoed = pagination.size ?? asked;
	return echoed > 0 && list.length <= echoed ? Math.min(echoed, asked) : asked;
}

/** The largest size up to `most` with which a page begins at `place`. */
function largestDivisor(place: number, most: number): number {
	let divisor = most;
	while (place % divisor !== 0) divisor--;
	return divisor;
}

/**
 * A service that begins to cap pages behind page 1 without a word: its pages begin elsewhere, which
 * shows in their number of items, but for one case: the first page that is capped is the last one, and
 * the cap is as large as what is left. Such a page begins with an item that was read before.
 */
export class CapAtEnd<T> {
	#place = 0;

	#item: T | undefined;

	readonly #pages: PagesAhead<T>;

	constructor(pages: PagesAhead<T>) {
		this.#pages = pages;
	}

	/** Keeps the item with which such a page would begin, as it comes by. */
	note(list: T[], done: number, size: number, total: number): void {
		const rest = total % size;
		const place = Math.floor(total / size) * rest;
		if (rest === 0 || place < done || place >= done + list.length) return;
		this.#place = place;
		this.#item = list[place - done];
	}

	/** Whether it begins at the page of place `done`, which came with these items. */
	async isAt(done: number, size: number, list: T[]): Promise<boolean> {
		if (done === 0 || list.length === 0 || list.length === size) return false;
		if ((done / size) * list.length !== this.#place || list[0] !== this.#item) return false;
		// Equal rows may be rows: no cap is smaller than one.
		const alone = await this.#pages.again(done, 1);
		return 'list' in alone && alone.list.length > 0 && alone.list[0] !== list[0];
	}
}
