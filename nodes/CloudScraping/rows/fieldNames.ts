import type { Field } from '../api/types';

/** Keys that the node adds to rows; a column of the same name gets a number. */
export const ADDED_KEYS = { batchID: '_batchId', taskID: '_taskId', change: '_change' } as const;

/** Gives each key of the service's rows the key that the user sees. One for each batch. */
export interface RowKeys {
	/** Field id and the user's key of each known column, in the batch's order. */
	columns: ReadonlyArray<readonly [id: string, name: string]>;
	/** The user's key for a key of a row: always the same, and never that of another key. */
	nameOf: (key: string) => string;
}

/**
 * Column names for the field ids of a batch (sections 2.4 and 2.5). Two fields of one name become
 * `Name` and `Name (2)`, a field without a name keeps its id, and so does a key that is no field.
 */
export function rowKeys(
	fields: readonly Field[],
	use: 'names' | 'ids',
	reserved: readonly string[] = [],
): RowKeys {
	const taken = new Set<string>(reserved);
	const names = new Map<string, string>();
	const add = (key: string, wanted: string) => {
		const name = untaken(wanted, taken);
		taken.add(name);
		names.set(key, name);
		return name;
	};
	for (const { id, name } of fields) {
		if (!names.has(id)) add(id, use === 'ids' || !name ? id : String(name));
	}
	return {
		columns: [...names],
		nameOf: (key) => names.get(key) ?? add(key, key),
	};
}

function untaken(wanted: string, taken: ReadonlySet<string>): string {
	if (!taken.has(wanted)) return wanted;
	let number = 2;
	while (taken.has(`${wanted} (${number})`)) number++;
	return `${wanted} (${number})`;
}

/**
 * The columns that the user asked for, as keys of the items: a column may be named by its field id
 * as well. `unknown` are those that the batch does not have.
 */
export function chooseColumns(
	wanted: readonly string[],
	{ columns }: RowKeys,
): { only: string[]; unknown: string[] } {
	const byId = new Map(columns);
	// The spaces around a name cannot be seen, so they need not be typed.
	const byTrimmed = new Map(columns.map(([, name]) => [name.trim(), name]));
	const names = new Set(columns.map(([, name]) => name));
	const find = (name: string) => (names.has(name) ? name : (byId.get(name) ?? byTrimmed.get(name)));
	return {
		only: [...new Set(wanted.map((name) => find(name) ?? name))],
		unknown: wanted.filter((name) => find(name) === undefined),
	};
}
