import { isObject } from '../errors/mistakeOf.ts';
import { parseExactly } from '../text/exactJson.ts';

/** Characters of all values of a row that was read. */
export function lengthOf(row: Record<string, string>): number {
	return Object.values(row).reduce((sum, value) => sum + value.length, 0);
}

/** A stored row. Its values are texts; those of a seeded one may be others, with numbers as they were said. */
export function rowIn(content: string): Record<PropertyKey, unknown> | undefined {
	const row: unknown = JSON.parse(content);
	if (!isObject(row)) return undefined;
	const hasNumbers = Object.values(row).some((value) => typeof value === 'number');
	const exact = hasNumbers ? parseExactly(content) : row;
	return isObject(exact) ? exact : undefined;
}

/** The values of a stored row, by the ids of their fields; only of these, if there are some. It has those of the step that made it. */
export function valuesOf(content: string, ids?: string[]): Map<string, string> {
	const row = rowIn(content);
	if (!row) return new Map();
	const wanted = ids?.filter((id) => Object.hasOwn(row, id)) ?? Object.keys(row);
	return new Map(wanted.map((id) => [id, textOf(row[id])]));
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === null ? '' : JSON.stringify(value);
}
