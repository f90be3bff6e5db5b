import { isObject } from './envelope';
import type { Batch, Field, Page } from './types';

/** A Batch (section 2.3), or undefined when the value has no batch identifier or no status. */
export function readBatch(data: unknown): Batch | undefined {
	if (!isObject(data) || !isIdentifier(data.batchID) || typeof data.status !== 'number') {
		return undefined;
	}
	return data as Batch;
}

/** A page (section 2.2) whose elements all pass `readElement`, else undefined. */
export function readPage<T>(
	data: unknown,
	readElement: (element: unknown) => T | undefined,
): Page<T> | undefined {
	if (!isObject(data) || !Array.isArray(data.list) || !isObject(data.pagination)) return undefined;
	const { total, page, size } = data.pagination;
	if (!isCount(total)) return undefined;
	const list: T[] = [];
	for (const element of data.list as unknown[]) {
		const read = readElement(element);
		if (read === undefined) return undefined;
		list.push(read);
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

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

function toCount(value: unknown): number | undefined {
	return isCount(value) ? value : undefined;
}
