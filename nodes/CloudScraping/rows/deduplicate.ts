import { createHash } from 'node:crypto';

import { isObject } from '../api/json';

/**
 * Duplicates within one read: says of a row, by the text that stands for it, whether it is new, and
 * remembers it. Some bytes a row, not the row.
 */
export function newInThisRead(): (print: string) => boolean {
	const seen = new Set<string>();
	return (print) => {
		const before = seen.size;
		return seen.add(print).size > before;
	};
}

/** The same short text for rows with the same keys and values, and for no others. */
export function rowFingerprint(row: object): string {
	return fingerprint(row);
}

/** The part of a row that has these fields. */
export function onlyFields(row: object, ids: readonly string[]): object {
	const values = new Map<string, unknown>(Object.entries(row));
	return Object.fromEntries(ids.filter((id) => values.has(id)).map((id) => [id, values.get(id)]));
}

/** The same short text for rows with the same values of these fields; a missing value is one too. */
export function valuesFingerprint(row: object, ids: readonly string[]): string {
	const values = new Map<string, unknown>(Object.entries(row));
	return fingerprint(ids.map((id) => [id, values.get(id) ?? null]));
}

function fingerprint(value: unknown): string {
	const text = JSON.stringify(canonical(value));
	return createHash('sha256').update(text).digest('base64').slice(0, 24);
}

/** The same value with the keys of its objects in one order: JSON says nothing by their order. */
function canonical(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(canonical);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
	return Object.fromEntries(entries.map(([key, part]) => [key, canonical(part)]));
}
