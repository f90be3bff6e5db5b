import type { Page } from '../wire';

/** Of a `Cursor`, what is asked of it here. */
interface Position<T> {
	readonly place: number;
	readonly page: number;
	readonly size: number;
	readonly total: number;
	takeOne(): Promise<Page<T> | undefined>;
}

/**
 * A service that begins to cap pages behind page 1 without a word: its pages begin elsewhere, which
 * shows in their number of items, but for one case: the first page that is capped is the last one, and
 * the cap is as large as what is left. Such a page begins with an item that was read before.
 */
export class CapAtEnd<T> {
	#place = 0;

	#item: T | undefined;

	/** Keeps the item with which such a page would begin, as it comes by. */
	note({ place, size, total }: Position<T>, { list }: Page<T>): void {
		const rest = total % size;
		const begin = Math.floor(total / size) * rest;
		if (rest === 0 || begin < place || begin >= place + list.length) return;
		this.#place = begin;
		this.#item = list[begin - place];
	}

	/** Whether it begins at this page. */
	async isAt(cursor: Position<T>, { list }: Page<T>): Promise<boolean> {
		if (list.length === 0 || list.length === cursor.size) return false;
		const begin = (cursor.page - 1) * list.length;
		if (begin !== this.#place || list[0] !== this.#item) return false;
		// Equal items may be items: no cap is smaller than one.
		const alone = await cursor.takeOne();
		return alone !== undefined && alone.list.length > 0 && alone.list[0] !== list[0];
	}
}
