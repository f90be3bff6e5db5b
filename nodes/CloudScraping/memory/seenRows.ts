import { BegunMark } from './begunMark';
import type { EntryStore } from './entryStore';
import { questions } from './rowMemory';
import type { DueRow, RowMemory, RowPrint, Taken, Wanted } from './rowMemory';

/**
 * Knows a row when all its values have come out before, whenever that was. The store checks and
 * remembers in one step.
 */
export class SeenRows implements RowMemory {
	// An entry each, with room for the rows of earlier reads.
	readonly maxRows = 100_000;

	readonly #store: EntryStore;
	readonly #name: string;
	readonly #begun: BegunMark;

	constructor(store: EntryStore, name: string) {
		this.#store = store;
		this.#name = name;
		this.#begun = new BegunMark(name);
	}

	async take(rows: readonly RowPrint[], { limit, isTrial }: Wanted): Promise<Taken> {
		const taken: Taken = { due: [], looked: 0, isFirst: await this.#begin() };
		await this.#takeInto(taken, rows, limit(taken.isFirst)).catch(async (error: Error) => {
			await this.giveBack(taken);
			await Promise.reject(error);
		});
		if (isTrial) await this.giveBack(taken);
		return taken;
	}

	async giveBack({ due, isFirst }: Taken): Promise<void> {
		await this.#forget(due);
		if (isFirst) await this.#store.remove(this.#begun.entries);
	}

	async #takeInto(taken: Taken, rows: readonly RowPrint[], limit: number): Promise<void> {
		const { due } = taken;
		for (const { first, chunk } of questions(rows, due, limit)) {
			const known = await this.#store.recordAndTrim(chunk.map((row) => this.#entry(row)));
			for (const [index, row] of chunk.entries()) {
				if (!known.has(this.#entry(row))) due.push({ index: first + index, row });
			}
			taken.looked = first + chunk.length;
		}
	}

	async #forget(due: readonly DueRow[]): Promise<void> {
		await this.#store.remove(due.map(({ row }) => this.#entry(row)));
	}

	/** Whether this is the first read. */
	async #begin(): Promise<boolean> {
		const there = await this.#store.record(this.#begun.entries);
		await this.#store.remove([this.#begun.older(there)]);
		return this.#begun.isFirst(there);
	}

	#entry({ values }: RowPrint): string {
		return `${this.#name} ${values}`;
	}
}
