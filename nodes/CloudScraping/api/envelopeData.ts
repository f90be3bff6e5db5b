import { isObject, toInteger } from './envelope';
import type { Batch, Field, Page } from './wire';

/**
 * A Batch (section 2.3), or undefined when the value has no batch identifier: all that is needed to
 * wait for it and to read it.
 */
export function readBatch(data: unknown): Batch | undefined {
	if (!isBatch(data)) return undefined;
	const status = toInteger(data.status);
	return status === undefined ? data : { ...data, status };
}

function isBatch(data: unknown): data is Batch {
	return isObject(data) && isIdentifier(data.batchID);
}

/**
 * A page (section 2.2), or undefined when the value is none. Elements that `readElement` cannot read
 * are left out: one of them must not keep the others from coming.
 */
export function readPage<T>(
	data: unknown,
	readElement: (element: unknown) => T | undefined,
): Page<T> | undefined {
	if (!isObject(data) || !Array.isArray(data.list) || !isObject(data.pagination)) return undefined;
	const { page, size } = data.pagination;
	const total = toCount(data.pagination.total);
	if (total === undefined) return undefined;
	const list: T[] = [];
	for (const element of data.list as unknown[]) {
		const read = readElement(element);
		if (read !== undefined) list.push(read);
	}
	return { list, pagination: { total, page: toCount(page), size: toCount(size) } };
}

/** The columns of a batch; elements that are no Field are left out, their rows keep the ids. */
export function batchFields(batch: Batch): Field[] {
	const fields: unknown = batch.fields;
	return Array.isArray(fields) ? fields.filter(isField) : [];
}

function isField(value: unknown): value is Field {
	return isObject(value) && typeof value.id === 'string';
}

function isIdentifier(value: unknown): boolean {
	return Number.isSafeInteger(value) || (typeof value === 'string' && /^\d+$/.test(value));
}

function toCount(value: unknown): number | undefined {
	const count = toInteger(value);
	return count !== undefined && count >= 0 ? count : undefined;
}
