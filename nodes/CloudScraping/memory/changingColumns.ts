import { rowFingerprint } from '../rows/deduplicate';
import type { EntryStore } from './entryStore';

/** A row that has changed: the text that stands for its key, and its values by column. */
export interface ChangedRow {
	key: string;
	values: object;
}

/** Rows that are looked at, and of how many it must be known what they had before. */
const sampleSize = 20;
const minKnown = 5;

/** Whether it is so many that a column that changes by itself may be the reason. */
export function areMost(some: number, all: number): boolean {
	return some >= 0.8 * all;
}

/**
 * The columns that have values in most of these rows that they did not have when such rows were looked at
 * before; undefined where too few were. So each time, the values of some rows are remembered one by one:
 * the first by their keys, which mostly are the same ones.
 */
export async function changingColumns(
	store: EntryStore,
	name: string,
	rows: readonly ChangedRow[],
): Promise<string[] | undefined> {
	const sample = [...rows].sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, sampleSize);
	const entry = (...parts: unknown[]) => [name, 'value', rowFingerprint(parts)].join(' ');
	const looks = sample.map(({ key, values }) => ({
		row: entry(key),
		columns: Object.entries(values).map(([id, value]) => ({ id, value: entry(key, id, value) })),
	}));
	const before = await store.record(
		looks.flatMap(({ row, columns }) => [row, ...columns.map(({ value }) => value)]),
	);
	const known = looks.filter(({ row }) => before.has(row));
	if (known.length < minKnown) return undefined;
	const changes = new Map<string, number>();
	for (const { id, value } of known.flatMap(({ columns }) => columns)) {
		if (!before.has(value)) changes.set(id, (changes.get(id) ?? 0) + 1);
	}
	return [...changes].filter(([, count]) => areMost(count, known.length)).map(([id]) => id);
}
