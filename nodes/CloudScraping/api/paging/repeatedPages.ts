import { createHash } from 'node:crypto';

import type { Page } from '../wire';
import type { Cursor } from './cursor';

/**
 * Finds full pages that equal an earlier one as a whole: a cache in front of the service that does not
 * look at the query gives page 1 for each. Items that are all equal prove nothing.
 */
export class RepeatedPages {
	readonly #pages = new Map<string, number>();

	#hasFound = false;

	/**
	 * The page, and the earlier one that has the same items. The first of such pages is asked for once
	 * more: where that helps, the service is to be asked for the next ones, too.
	 */
	async check<T>(
		cursor: Cursor<T>,
		page: Page<T>,
	): Promise<{ answer: Page<T>; repeats: number | undefined }> {
		const repeats = this.#earlier(page, cursor);
		if (repeats === undefined || this.#hasFound) return { answer: page, repeats };
		const answer = await cursor.fuller(page);
		const stillRepeats = this.#earlier(answer, cursor);
		this.#hasFound = stillRepeats !== undefined;
		return { answer, repeats: stillRepeats };
	}

	/** The earlier page with these items in this order; else they are kept as those of this page. */
	#earlier({ list }: Page<unknown>, { page, size }: Cursor<unknown>): number | undefined {
		if (list.length < size) return undefined;
		const texts = list.map(textOf);
		if (texts.every((text) => text === texts[0])) return undefined;
		const hash = createHash('sha256');
		for (const text of texts) hash.update(`${text.length} ${text}`);
		const print = hash.digest('base64');
		const earlier = this.#pages.get(print);
		if (earlier === undefined) this.#pages.set(print, page);
		return earlier;
	}
}

function textOf(item: unknown): string {
	return typeof item === 'string' ? item : (JSON.stringify(item) ?? '');
}
