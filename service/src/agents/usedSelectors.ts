import { asARule } from '../store/selectorStore.ts';
import type { SelectorPages, StepSelector, UsedSelector } from '../store/selectorStore.ts';
import type { Find } from './assignment.ts';

/** Where that is written. */
interface Notes {
	note(used: UsedSelector[]): Promise<void>;
	notePages(pages: SelectorPages[]): Promise<void>;
}

/** Milliseconds for which pages wait, to be written together. */
const delay = 200;

/**
 * Takes note of which selectors of a batch find something, each once at most either way, and of all pages on which
 * one finds something, or nothing: those who go on with the batch, or work on it as well, know of these pages from
 * what is written alone. Pages are written together: those of the last moment before a crash are lost, unless something
 * of them is odd, and somebody sees to it.
 */
export class UsedSelectors {
	readonly #notes: Notes;
	/** What is written already: whether a selector has found something. */
	readonly #noted = new Map<string, boolean>();
	/** Pages that are not written yet, by selector. */
	readonly #pages = new Map<string, SelectorPages>();
	/** On how many pages each has found something, and nothing. */
	readonly #seen = new Map<string, { found: number; empty: number }>();
	/** How often something was odd, and up to which of these it is written. */
	#odd = 0;
	#oddWritten = 0;
	#timer: NodeJS.Timeout | undefined;
	/** What is written of a selector comes after what was said of it before; one that fails, fails for all after it. */
	#written: Promise<void> = Promise.resolve();

	constructor(notes: Notes) {
		this.#notes = notes;
	}

	/** This is what the selectors of a step have found. */
	async note(finds: Find[]): Promise<void> {
		const news = finds.filter(({ selector, found }) => {
			const key = keyOf(selector);
			const noted = this.#noted.get(key);
			if (noted === true || noted === found) return false;
			this.#noted.set(key, found);
			return true;
		});
		if (news.length > 0) await this.#write(() => this.#notes.note(news));
	}

	/** This is what they have found on a whole page. */
	notePage(finds: Find[], address: string): void {
		for (const { selector, found } of finds) {
			const key = keyOf(selector);
			const pages = this.#pages.get(key) ?? noPages(selector);
			this.#pages.set(key, pages);
			if (this.#isOdd(selector, found)) this.#odd += 1;
			if (found) pages.found += 1;
			else {
				if (pages.empty === 0)
					Object.assign(pages, { foundBefore: pages.found, firstEmpty: address });
				pages.empty += 1;
			}
			// Whoever waits for it learns why that has failed.
			this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), delay).unref();
		}
	}

	/** Writes the pages that wait. Rejects where that fails, or has failed before. */
	flush(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		return this.#write(async () => {
			const pages = this.takePages();
			const odd = this.#odd;
			if (pages.length > 0) await this.#notes.notePages(pages);
			this.#oddWritten = odd;
		});
	}

	/** Whether anything that is odd of a page is not written yet. */
	get lacksOdd(): boolean {
		return this.#odd > this.#oddWritten;
	}

	/**
	 * Whether a page may be told of by what it has found, or not found: each without rows, one that lacks a field which is
	 * there as a rule, and the first that has what others may have lacked. What pages lack all the time is no news.
	 */
	#isOdd(selector: StepSelector, found: boolean): boolean {
		const seen = this.#seen.get(keyOf(selector)) ?? { found: 0, empty: 0 };
		this.#seen.set(keyOf(selector), seen);
		seen[found ? 'found' : 'empty'] += 1;
		if (found) return seen.found === 1;
		if (!selector.field || seen.empty === 1) return true;
		return seen.found >= seen.empty * asARule.usually;
	}

	/** Takes the pages that wait, for somebody else to write. */
	takePages(): SelectorPages[] {
		const taken = [...this.#pages.values()];
		this.#pages.clear();
		for (const pages of taken) if (pages.empty === 0) pages.foundBefore = pages.found;
		return taken;
	}

	#write(write: () => Promise<void>): Promise<void> {
		this.#written = this.#written.then(write);
		return this.#written;
	}
}

function noPages(selector: StepSelector): SelectorPages {
	return { selector, found: 0, foundBefore: 0, empty: 0, firstEmpty: '' };
}

function keyOf({ step, field }: StepSelector): string {
	return `${step} ${field?.id ?? ''}`;
}
