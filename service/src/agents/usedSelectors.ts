import type { SelectorPages, StepSelector, UsedSelector } from '../store/selectorStore.ts';
import type { Find } from './assignment.ts';

/** Where that is written. */
interface Notes {
	note(used: UsedSelector[]): Promise<void>;
	notePages(pages: SelectorPages[]): Promise<void>;
}

/**
 * Takes note of which selectors of a batch find something, each once at most either way, and of the pages
 * on which one finds nothing. What finds something everywhere is not written down page by page.
 */
export class UsedSelectors {
	readonly #notes: Notes;
	/** What is written already: whether a selector has found something. */
	readonly #noted = new Map<string, boolean>();
	/** Pages that are not written yet, by selector. */
	readonly #pages = new Map<string, number>();
	/** Those of which each page is written. */
	readonly #gaps = new Set<string>();
	/** What is written of a selector comes after what was said of it before. */
	#written: Promise<void> = Promise.resolve();

	constructor(notes: Notes) {
		this.#notes = notes;
	}

	/** This is what the selectors of a step have found. */
	note(finds: Find[]): Promise<void> {
		const news = finds.filter(({ selector, found }) => {
			const key = keyOf(selector);
			const noted = this.#noted.get(key);
			if (noted === true || noted === found) return false;
			this.#noted.set(key, found);
			return true;
		});
		return this.#write(news, () => this.#notes.note(news));
	}

	/** This is what they have found on a whole page. */
	notePage(finds: Find[], address: string): Promise<void> {
		const news = finds.flatMap(({ selector, found }) => {
			const key = keyOf(selector);
			const before = this.#pages.get(key) ?? 0;
			if (!found) this.#gaps.add(key);
			this.#pages.set(key, this.#gaps.has(key) ? 0 : before + 1);
			if (!this.#gaps.has(key)) return [];
			return [{ selector, found: before + (found ? 1 : 0), empty: found ? undefined : address }];
		});
		return this.#write(news, () => this.#notes.notePages(news));
	}

	async #write(news: unknown[], write: () => Promise<void>): Promise<void> {
		if (news.length === 0) return;
		const before = this.#written;
		const done = (async () => {
			// One that has failed has ended the run.
			await before.catch(() => undefined);
			await write();
		})();
		this.#written = done;
		await done;
	}
}

function keyOf({ step, field }: StepSelector): string {
	return `${step} ${field?.id ?? ''}`;
}
