import type { DueRow, RowPrint } from '../../../../nodes/CloudScraping/memory/rowMemory';

/** What the contract says of the last values of a key, without a store: nothing more than a map. */
export class PlainMemory {
	readonly #lastValues = new Map<string, Set<string>>();

	take(rows: readonly RowPrint[], limit: number): DueRow[] {
		const due: DueRow[] = [];
		const looked: RowPrint[] = [];
		for (const [index, row] of rows.entries()) {
			if (due.length === limit) break;
			const last = this.#lastValues.get(row.key);
			if (!last?.has(row.values)) due.push({ index, row, change: last ? 'changed' : 'new' });
			looked.push(row);
		}
		for (const { key } of looked) this.#lastValues.set(key, new Set());
		for (const { key, values } of looked) this.#lastValues.get(key)?.add(values);
		return due;
	}

	giveBack(due: readonly DueRow[]): void {
		for (const { row } of due) this.#lastValues.set(row.key, new Set());
		for (const { row, change } of due) if (change === 'new') this.#lastValues.delete(row.key);
	}
}
