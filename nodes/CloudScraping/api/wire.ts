import type { IDataObject } from 'n8n-workflow';

import { isObject } from './json';

/** A number, or a string of digits where the service sent an integer beyond 2^53. */
export type WireInteger = number | string;

/** A column of the extracted table (section 2.4). */
export interface Field extends IDataObject {
	id: string;
	name: string;
}

/**
 * A batch of a task, as the service sent it (section 2.3). Only its identifier is sure to be there:
 * the other fields may be absent, null or of another type. Fields that we do not use are kept.
 */
export interface Batch extends IDataObject {
	batchID: WireInteger;
}

/** How many items match, and the echo of the request where there is one (section 2.2). */
export interface Pagination {
	page: number | undefined;
	size: number | undefined;
	total: number;
}

/** One page of a paged answer (section 2.2). */
export interface Page<T> {
	list: T[];
	pagination: Pagination;
}

/** An element of the decoded `actionParams` (section 2.6). */
export interface ActionParam extends IDataObject {
	id: string;
	path?: string;
	value: string | number | string[];
}

/** Body of `POST /cloud/start` (section 4.1). */
export interface StartRequest extends IDataObject {
	taskID: string;
	nodeCount: number;
	jobCount: number;
	region?: string;
	actionParams?: string;
}

export const batchStatus = { waiting: 1, running: 2, successful: 3, stopped: 4 } as const;

export type StatusName = keyof typeof batchStatus | 'unknown';

/** Orders of `GET /cloud/batches` (section 4.3). */
export const batchOrder = { newest: 0, longestRunning: 1, mostRows: 2 } as const;

export type OrderBy = (typeof batchOrder)[keyof typeof batchOrder];

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
	if (!isObject(data) || !isObject(data.pagination)) return undefined;
	// Some languages write an empty list as null.
	const elements: unknown = data.list === null ? [] : data.list;
	if (!Array.isArray(elements)) return undefined;
	const { page, size } = data.pagination;
	const total = toCount(data.pagination.total);
	if (total === undefined) return undefined;
	const list: T[] = [];
	for (const element of elements as unknown[]) {
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

/** Whether a value is a batch identifier: an integer, or its digits where there are too many for a number. */
export function isIdentifier(value: unknown): boolean {
	return Number.isSafeInteger(value) || (typeof value === 'string' && /^\d+$/.test(value));
}

function toCount(value: unknown): number | undefined {
	const count = toInteger(value);
	return count !== undefined && count >= 0 ? count : undefined;
}

/** An integer of the wire, which may come as a string of its digits; undefined for any other value. */
export function toInteger(value: unknown): number | undefined {
	const integer = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
	return typeof integer === 'number' && Number.isSafeInteger(integer) ? integer : undefined;
}

/** A number of the wire from 0, which may come as text; undefined for any other value. */
export function decimalIn(value: unknown): number | undefined {
	const decimal = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
	return typeof decimal === 'number' && decimal >= 0 ? decimal : undefined;
}
