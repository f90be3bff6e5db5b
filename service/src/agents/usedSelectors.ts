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
 * Takes note of which selectors of a batch find something, each once at most either way, and of the pages
 * on which one finds nothing. What finds something everywhere is not written down page by page. Pages are written
 * together: those of the last moment before a crash, or a stop, are lost.
 */
export class UsedSelectors {
	readonly #notes: Notes;
	/** What is written already: whether a selector has found something. */
	readonly #noted = new Map<string, boolean>();
	/** Pages that are not written yet, by selector. */
	readonly #pages = new Map<string, SelectorPages>();
	/** Those of which all pages are written. */
	readonly #gaps = new Set<string>();
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
			if (found) pages.found += 1;
			else {
				if (pages.empty === 0)
					Object.assign(pages, { foundBefore: pages.found, firstEmpty: address });
				pages.empty += 1;
				this.#gaps.add(key);
			}
			// Whoever waits for it learns why that has failed.
			if (this.#gaps.has(key))
				this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), delay).unref();
		}
	}

	/** Writes the pages that wait. Rejects where that fails, or has failed before. */
	async flush(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const news = [...this.#gaps].flatMap((key) => this.#pages.get(key) ?? []);
		for (const key of this.#gaps) this.#pages.delete(key);
		for (const pages of news) if (pages.empty === 0) pages.foundBefore = pages.found;
		await (news.length > 0 ? this.#write(() => this.#notes.notePages(news)) : this.#written);
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
