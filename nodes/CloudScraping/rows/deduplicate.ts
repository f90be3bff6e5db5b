import { createHash } from 'node:crypto';

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
	return fingerprint(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
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
	return createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 24);
}
