import type { EntryStore } from '../../../../nodes/CloudScraping/memory/entryStore';

/** Does what n8n's store of processed data does: a list that is asked, added to, and cut at its front. */
export class ArrayStore implements EntryStore {
	#entries: string[] = [];

	readonly #mostEntries: number;

	/** After so many calls n8n dies: none has an effect any more. */
	callsToLive = Infinity;

	constructor(mostEntries = Infinity) {
		this.#mostEntries = mostEntries;
	}

	get size(): number {
		return this.#entries.length;
	}

	/** To bring back what an earlier write of somebody else has overwritten. */
	get content(): string[] {
		return [...this.#entries];
	}

	set content(entries: string[]) {
		this.#entries = entries;
	}

	async record(entries: Iterable<string>): Promise<ReadonlySet<string>> {
		const asked = [...new Set(entries)];
		if (asked.length === 0) return new Set();
		this.#call();
		const known = new Set(this.#entries);
		for (const entry of asked) if (!known.has(entry)) this.#entries.push(entry);
		return await Promise.resolve(new Set(asked.filter((entry) => known.has(entry))));
	}

	async recordAndTrim(entries: Iterable<string>): Promise<ReadonlySet<string>> {
		const known = await this.record(entries);
		this.#entries.splice(0, this.#entries.length - this.#mostEntries);
		return known;
	}

	async remove(entries: readonly string[]): Promise<void> {
		if (entries.length === 0) return;
		this.#call();
		const gone = new Set(entries);
		this.#entries = this.#entries.filter((entry) => !gone.has(entry));
		await Promise.resolve();
	}

	#call(): void {
		if (this.callsToLive-- <= 0) throw new Error('n8n has died');
	}
}
