import type { DueRow, RowPrint } from '../../../../nodes/CloudScraping/memory/rowMemory';

/** What the contract says of the last values of a key, without a store: nothing more than a map. */
export class PlainMemory {
	readonly #lastValues = new Map<string, Set<string>>();

	take(rows: readonly RowPrint[], limit: number): DueRow[] {
		const all = rows.map((row, index): DueRow | { known: RowPrint } => {
			const last = this.#lastValues.get(row.key);
			if (last?.has(row.values)) return { known: row };
			return { index, row, change: last ? 'changed' : 'new' };
		});
		const unknown = all.filter((each) => 'index' in each);
		const due = unknown.slice(0, limit);
		const out = [
			...due.map(({ row }) => row),
			...all.flatMap((a) => ('known' in a ? a.known : [])),
		];
		for (const { key } of rows) this.#lastValues.set(key, new Set());
		for (const { key, values } of out) this.#lastValues.get(key)?.add(values);
		// A new key of which nothing came out has no values yet; a changed one has none that are right.
		const keysOut = new Set(out.map(({ key }) => key));
		for (const { row, change } of unknown.slice(limit)) {
			if (change === 'new' && !keysOut.has(row.key)) this.#lastValues.delete(row.key);
		}
		return due;
	}

	giveBack(due: readonly DueRow[]): void {
		for (const { row } of due) this.#lastValues.set(row.key, new Set());
		for (const { row, change } of due) if (change === 'new') this.#lastValues.delete(row.key);
	}
}
