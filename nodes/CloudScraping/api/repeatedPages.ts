import { createHash } from 'node:crypto';

/**
 * Finds full pages that equal an earlier one as a whole: a cache in front of the service that does not
 * look at the query gives page 1 for each. Items that are all equal prove nothing.
 */
export class RepeatedPages {
	readonly #pages = new Map<string, number>();

	/** The earlier page with these items in this order; else they are kept as those of this page. */
	earlier(list: readonly unknown[], page: number, size: number): number | undefined {
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
