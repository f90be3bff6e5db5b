import type { SelectorStore, StepSelector } from '../store/selectorStore.ts';
import type { Find } from './pageFinds.ts';

/**
 * Takes note of which selectors of a batch find something, each once at most either way, and of the pages
 * on which one finds nothing. What finds something everywhere is not written down page by page.
 */
export class UsedSelectors {
	readonly #store: SelectorStore;
	readonly #batchID: bigint;
	/** What the store knows already: whether a selector has found something. */
	readonly #noted = new Map<string, boolean>();
	/** Pages that the store does not know of yet, by selector. */
	readonly #pages = new Map<string, number>();
	/** Those of which it wants to know each page. */
	readonly #gaps = new Set<string>();

	constructor(store: SelectorStore, batchID: bigint) {
		this.#store = store;
		this.#batchID = batchID;
	}

	/** This is what the selectors of a step have found. */
	note(finds: Find[]): void {
		for (const { selector, found } of finds) this.#noteOne(selector, found);
	}

	/** This is what they have found on a whole page. */
	notePage(finds: Find[], address: string): void {
		for (const { selector, found } of finds) {
			const key = keyOf(selector);
			const before = this.#pages.get(key) ?? 0;
			if (!found) this.#gaps.add(key);
			this.#pages.set(key, this.#gaps.has(key) ? 0 : before + 1);
			if (!this.#gaps.has(key)) continue;
			const pages = { found: before + (found ? 1 : 0), empty: found ? undefined : address };
			this.#store.notePages(this.#batchID, selector, pages);
		}
	}

	#noteOne(selector: StepSelector, found: boolean): void {
		const key = keyOf(selector);
		const noted = this.#noted.get(key);
		if (noted === true || noted === found) return;
		this.#store.note(this.#batchID, selector, found);
		this.#noted.set(key, found);
	}
}

function keyOf({ step, field }: StepSelector): string {
	return `${step} ${field?.id ?? ''}`;
}
