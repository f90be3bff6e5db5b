import type { Field } from '../api/wire';

/** Keys that the node adds to rows; a column of the same name gets a number. */
export const ownKeys = { batchID: '_batchId', taskID: '_taskId', change: '_change' } as const;

/** What the keys of items are. */
type KeyUse = 'names' | 'ids';

/** Gives each key of the service's rows the key that the user sees. One for each batch. */
export interface RowKeys {
	/** Field id and the user's key of each known column, in the batch's order. */
	columns: ReadonlyArray<readonly [id: string, name: string]>;
	/** The user's key for a key of a row: always the same, and never that of another key. */
	nameOf: (key: string) => string;
	/** The field id of the column that the user calls so: by its key, else by its name or field id. */
	idOf: (column: string) => string | undefined;
}

/**
 * Column names for the field ids of a batch (sections 2.4 and 2.5). Two fields of one name become
 * `Name` and `Name (2)`, or the next number that no field has; a field without a name keeps its id, and
 * so does a key that is no field.
 */
export function rowKeys(
	fields: readonly Field[],
	use: KeyUse,
	reserved: readonly string[] = [],
): RowKeys {
	const names = fieldKeys(fields, use, reserved);
	const columns = [...names];
	const taken = new Set([...reserved, ...names.values()]);
	const add = (key: string) => {
		const name = untaken(key, taken);
		taken.add(name);
		names.set(key, name);
		return name;
	};
	const otherNames = fieldKeys(fields, use === 'ids' ? 'names' : 'ids', reserved);
	const ids = idsByName([...columns, ...otherNames]);
	return {
		columns,
		nameOf: (key) => names.get(key) ?? add(key),
		idOf: (column) => ids.get(column),
	};
}

/**
 * The user's key for each field id. A name belongs to the first field that has it; the others get a
 * number that no field has.
 */
function fieldKeys(
	fields: readonly Field[],
	use: KeyUse,
	reserved: readonly string[],
): Map<string, string> {
	const wanted = new Map<string, string>();
	for (const { id, name } of fields) {
		if (!wanted.has(id)) wanted.set(id, use === 'ids' || !name ? id : String(name));
	}
	const taken = new Set([...reserved, ...wanted.values()]);
	const free = new Set(wanted.values());
	for (const name of reserved) free.delete(name);
	const keys = new Map<string, string>();
	for (const [id, name] of wanted) {
		const key = free.delete(name) ? name : untaken(name, taken);
		taken.add(key);
		keys.set(id, key);
	}
	return keys;
}

/** Field ids by all that the user may write; of equal names the first one counts. */
function idsByName(columns: ReadonlyArray<readonly [id: string, name: string]>) {
	const ids = new Map<string, string>();
	const add = (name: string, id: string) => {
		if (!ids.has(name)) ids.set(name, id);
	};
	for (const [id, name] of columns) add(name, id);
	// The spaces around a name cannot be seen, so they need not be typed.
	for (const [id, name] of columns) add(name.trim(), id);
	return ids;
}

function untaken(wanted: string, taken: ReadonlySet<string>): string {
	if (!taken.has(wanted)) return wanted;
	let number = 2;
	while (taken.has(`${wanted} (${number})`)) number++;
	return `${wanted} (${number})`;
}

/**
 * The columns that the user asked for, as keys of the items. `unknown` are those that the batch does
 * not have.
 */
export function chooseColumns(
	wanted: readonly string[],
	{ idOf, nameOf }: RowKeys,
): { only: string[]; unknown: string[] } {
	const keyOf = (column: string) => {
		const id = idOf(column);
		return id === undefined ? column : nameOf(id);
	};
	return {
		only: [...new Set(wanted.map(keyOf))],
		unknown: wanted.filter((column) => idOf(column) === undefined),
	};
}
