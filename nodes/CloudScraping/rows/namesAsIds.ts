import type { Field } from '../api/wire';
import type { Row } from './parseRow';

/**
 * Rows under field ids (section 2.5), also where the service writes the names of columns in their place:
 * a key that is the name of a field whose id no row of the page has is that field. What is found out for a
 * page holds for the rest of the read.
 */
export function namesAsIds(fields: readonly Field[]): (page: Row[]) => Row[] {
	const known = new Set(fields.map(({ id }) => id));
	/** Fields that no row has had, neither by id nor by name. */
	const unmet = new Map(fields.map(({ id, name }) => [id, name]));
	const idOf = new Map<string, string>();
	return (page) => {
		const has = (key: string) => page.some((row) => Object.hasOwn(row, key));
		for (const id of unmet.keys()) if (has(id)) unmet.delete(id);
		// Of two fields of one name it is the first one.
		for (const [id, name] of unmet) {
			if (!name || known.has(name) || idOf.has(name) || !has(name)) continue;
			idOf.set(name, id);
			unmet.delete(id);
		}
		return idOf.size === 0 ? page : page.map((row) => underIds(row, idOf));
	};
}

function underIds(row: Row, idOf: ReadonlyMap<string, string>): Row {
	const entries = Object.entries(row).map(([key, value]) => {
		const id = idOf.get(key);
		return [id === undefined || Object.hasOwn(row, id) ? key : id, value] as const;
	});
	return Object.fromEntries(entries);
}
