import type { SQLOutputValue } from 'node:sqlite';

/** A row of a table as node:sqlite hands it out. */
export type Columns = Record<string, SQLOutputValue>;

/** The number in a column; throws when it holds something else. */
export function numberIn(columns: Columns | undefined, name: string): number {
	const value = columns?.[name];
	if (typeof value === 'bigint') return Number(value);
	if (typeof value !== 'number') throw new TypeError(`Column ${name} holds no number.`);
	return value;
}

/** The 64-bit integer in a column of a statement that reads integers as bigint. */
export function bigintIn(columns: Columns | undefined, name: string): bigint {
	const value = columns?.[name];
	if (typeof value !== 'bigint') throw new TypeError(`Column ${name} holds no bigint.`);
	return value;
}

/** The text in a column; throws when it holds something else. */
export function textIn(columns: Columns | undefined, name: string): string {
	const value = columns?.[name];
	if (typeof value !== 'string') throw new TypeError(`Column ${name} holds no text.`);
	return value;
}
