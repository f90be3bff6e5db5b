import type { Source } from '../pages/http/reader.ts';
import { withoutFragment } from '../text/withoutFragment.ts';
import type { SeenNext } from './document/next.ts';
import { foundOn } from './foundOn.ts';
import { openPage, type PickerParts } from './openPage.ts';
import { isNamed } from './selectors/selectorOf.ts';
import type { PickerState } from './state.ts';

/** A selector of what leads on, and what it finds on the page that is led to. */
export interface Candidate {
	selector: string;
	there: SeenNext | undefined;
}

/** Pages that are opened at most: a person waits for them. */
const maxOpened = 5;

/** What a link of the second page leads to. `closed`: it could not be looked at. */
interface Behind {
	is: 'more' | 'first' | 'second' | 'other' | 'closed';
	/** What each of the selectors finds there. */
	seen: (SeenNext | undefined)[];
}

/** What links of the second page lead to: more of what is read, or pages that were read before. */
export class PagesBehind {
	readonly #first: Pick<PickerState, 'draft' | 'list'>;
	readonly #second: Source;
	readonly #selectors: string[];
	readonly #parts: PickerParts;
	readonly #opened = new Map<string, Promise<Behind>>();

	constructor(
		first: Pick<PickerState, 'draft' | 'list'>,
		second: Source,
		selectors: string[],
		parts: PickerParts,
	) {
		this.#first = first;
		this.#second = second;
		this.#selectors = selectors;
		this.#parts = parts;
	}

	/** Whether an address is that of the first or the second page. */
	isKnown(address: string | undefined): boolean {
		return [this.#first.list, this.#second].some(({ url }) => isSame(address, url));
	}

	/** Of some selectors the first that leads to more, rather one that does not lead back from there. */
	async leadingOn(candidates: Candidate[]): Promise<Candidate | undefined> {
		let leading: Candidate | undefined;
		for (const candidate of candidates) {
			const { is, seen } = await this.#behind(candidate.there?.href);
			if (is !== 'more' && !(is === 'closed' && isNamed(candidate.selector))) continue;
			leading ??= candidate;
			const { href } = seen[this.#selectors.indexOf(candidate.selector)] ?? {};
			if (!this.isKnown(href)) return candidate;
		}
		return leading;
	}

	/** Those that lead back to the first page. */
	async leadingBack(candidates: Candidate[]): Promise<Candidate[]> {
		const behind = await Promise.all(candidates.map(({ there }) => this.#behind(there?.href)));
		return candidates.filter((_, index) => behind[index]?.is === 'first');
	}

	/** Whether one of some addresses leads to more. */
	async hasMore(addresses: string[]): Promise<boolean> {
		const behind = await Promise.all(addresses.map((address) => this.#behind(address)));
		return behind.some(({ is }) => is === 'more');
	}

	async #behind(address: string | undefined): Promise<Behind> {
		if (isSame(address, this.#first.list.url)) return { is: 'first', seen: [] };
		if (isSame(address, this.#second.url)) return { is: 'second', seen: [] };
		const url = withoutFragment(address ?? '');
		const before = this.#opened.get(url);
		if (before) return before;
		if (!/^https?:/.test(url) || this.#opened.size >= maxOpened) return { is: 'closed', seen: [] };
		const looked = this.#look(url);
		this.#opened.set(url, looked);
		return looked;
	}

	async #look(url: string): Promise<Behind> {
		const { draft, list } = this.#first;
		const { readers } = this.#parts;
		const page = await openPage(this.#parts, draft, url).catch(() => undefined);
		if (!page) return { is: 'closed', seen: [] };
		try {
			if (await this.#saysTheSame(page, list)) return { is: 'first', seen: [] };
			if (await this.#saysTheSame(page, this.#second)) return { is: 'second', seen: [] };
			const found = await foundOn(page, this.#first, readers);
			const seen = await readers.ask(page, 'seenBy', this.#selectors);
			return { is: found?.count === 0 ? 'other' : 'more', seen };
		} finally {
			readers.forget(page);
		}
	}

	/** Whether two pages have the same entries; without a list, whether they are the same. */
	async #saysTheSame(one: Source, other: Source): Promise<boolean> {
		const { entries } = this.#first.draft;
		if (Buffer.compare(one.body, other.body) === 0) return true;
		if (entries === undefined) return false;
		const [said, before] = await Promise.all(
			[one, other].map((page) => this.#parts.readers.ask(page, 'saidEntries', entries)),
		);
		const texts = said?.texts ?? [];
		return texts.length > 0 && texts.join('\n') === before?.texts.join('\n');
	}
}

/** Whether two addresses are those of one page. */
export function isSame(address: string | undefined, url: string): boolean {
	return address !== undefined && withoutFragment(address) === withoutFragment(url);
}
