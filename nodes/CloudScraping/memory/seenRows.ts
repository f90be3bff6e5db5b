import { BegunMark } from './begunMark';
import type { EntryStore } from './entryStore';
import { rowsAtOnce } from './rowMemory';
import type { DueRow, RowMemory, RowPrint, Taken } from './rowMemory';

/**
 * Knows a row when all its values have come out before, whenever that was. The store checks and
 * remembers in one step, so that rows beyond the limit are taken out again.
 */
export class SeenRows implements RowMemory {
	// An entry each, with room for the rows of earlier reads.
	readonly maxRows = 100_000;

	readonly #store: EntryStore;
	readonly #name: string;

	constructor(store: EntryStore, name: string) {
		this.#store = store;
		this.#name = name;
	}

	async take(rows: readonly RowPrint[], limit: number): Promise<Taken> {
		const isFirst = await this.#begin();
		const due: DueRow[] = [];
		const looked = await this.#takeInto(due, rows, limit).catch(async (error: Error) => {
			await this.giveBack(due);
			return await Promise.reject(error);
		});
		return { due, looked, isFirst };
	}

	/** Adds the rows that are due, and says how many were looked at. */
	async #takeInto(due: DueRow[], rows: readonly RowPrint[], limit: number): Promise<number> {
		let looked = 0;
		while (looked < rows.length && due.length < limit) {
			const chunk = rows.slice(looked, looked + Math.max(limit - due.length, rowsAtOnce));
			const known = await this.#store.recordAndTrim(chunk.map((row) => this.#entry(row)));
			const unknown = [...chunk.entries()]
				.filter(([, row]) => !known.has(this.#entry(row)))
				.map(([index, row]) => ({ index: looked + index, row }));
			const left = unknown.splice(limit - due.length);
			for (const row of unknown) due.push(row);
			await this.giveBack(left);
			looked += chunk.length;
		}
		return looked;
	}

	async giveBack(due: readonly DueRow[]): Promise<void> {
		await this.#store.remove(due.map(({ row }) => this.#entry(row)));
	}

	/** Whether this is the first read. */
	async #begin(): Promise<boolean> {
		const begun = new BegunMark(this.#name);
		const there = await this.#store.record(begun.entries);
		await this.#store.remove([begun.older(there)]);
		return begun.isFirst(there);
	}

	#entry({ values }: RowPrint): string {
		return `${this.#name} ${values}`;
	}
}
