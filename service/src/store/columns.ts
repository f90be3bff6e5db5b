/** A row of a table as a database hands it out. */
export type Columns = Record<string, unknown>;

/** The number in a column; throws when it holds something else. */
export function numberIn(columns: Columns | undefined, name: string): number {
	const value = columns?.[name];
	if (typeof value === 'bigint') return Number(value);
	if (typeof value !== 'number') throw new TypeError(`Column ${name} holds no number.`);
	return value;
}

/** The 64-bit integer in a column that is read as bigint. */
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

/** The bytes in a column; throws when it holds something else. */
export function bytesIn(columns: Columns | undefined, name: string): Uint8Array {
	const value = columns?.[name];
	if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${name} holds no bytes.`);
	return value;
}

/** The texts in a column that has an array of them; throws when it holds something else. */
export function textsIn(columns: Columns | undefined, name: string): string[] {
	const value = columns?.[name];
	if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
		throw new TypeError(`Column ${name} holds no texts.`);
	}
	return value;
}
