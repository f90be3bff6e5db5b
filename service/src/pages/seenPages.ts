import { createHash } from 'node:crypto';

/** What tells a page from others. */
export interface Fingerprint {
	/** Without its fragment. */
	address: string;
	/** A hash of the HTML. */
	content: string;
	/** Whether the address alone says which page it is: no sent form and no script has made it. */
	byAddress: boolean;
}

/** The fingerprint of a page with this URL and HTML. */
export function fingerprintOf(
	url: string,
	html: string | Uint8Array,
	byAddress: boolean,
): Fingerprint {
	const address = withoutFragment(url);
	return { address, content: createHash('sha256').update(html).digest('base64url'), byAddress };
}

/**
 * The pages that a loop by page was on. Pages that have an address of their own are compared by it,
 * because their HTML may hold something that is new each time; and by their HTML alone, because the first
 * one often has two addresses. Others are compared by address and HTML.
 */
export class SeenPages {
	readonly #seen = new Set<string>();

	/** Takes note of a page; false if it was seen before. */
	add({ address, content, byAddress }: Fingerprint): boolean {
		const whole = `${address} ${content}`;
		const names = byAddress ? [address, content] : [whole];
		const isNew = !names.some((name) => this.#seen.has(name));
		for (const name of [...names, whole]) this.#seen.add(name);
		return isNew;
	}
}

function withoutFragment(url: string): string {
	return url.replace(/#.*/s, '');
}
