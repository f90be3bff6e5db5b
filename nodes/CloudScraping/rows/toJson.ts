import type { IDataObject } from 'n8n-workflow';

import type { RowKeys } from './fieldNames';
import type { Row } from './parseRow';

/** How a row looks in the user's item. */
export interface RowShape {
	keys: RowKeys;
	/** Keep only these columns, in this order; all when absent. An added key may be one of them. */
	only?: readonly string[];
	/** Added to every row, e.g. `_batchId`: behind the columns where `only` has no other place for it. */
	added: IDataObject;
}

/**
 * The `json` of a row's item: its values unchanged under the user's keys, columns in the batch's
 * order, then keys that the batch does not know. A field that the row lacks is left out.
 */
export function toJson(row: Row, { keys, only, added }: RowShape): IDataObject {
	const json: IDataObject = {};
	let known = 0;
	for (const [id, name] of keys.columns) {
		if (!Object.hasOwn(row, id)) continue;
		setValue(json, name, row[id]);
		known++;
	}
	const all = Object.keys(row);
	if (all.length > known) {
		const columns = new Map(keys.columns);
		for (const key of all) if (!columns.has(key)) setValue(json, keys.nameOf(key), row[key]);
	}
	Object.assign(json, added);
	return only ? Object.assign(pick(json, only), added) : json;
}

function pick(json: IDataObject, only: readonly string[]): IDataObject {
	const picked: IDataObject = {};
	for (const name of only) {
		if (Object.hasOwn(json, name)) setValue(picked, name, json[name]);
	}
	return picked;
}

/** A plain assignment to `__proto__` would set the object's prototype instead of a column. */
function setValue(json: IDataObject, name: string, value: unknown): void {
	if (name === '__proto__') {
		Object.defineProperty(json, name, {
			value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
	} else {
		json[name] = value as IDataObject[string];
	}
}
