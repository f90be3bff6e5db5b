import type { IDataObject } from 'n8n-workflow';

/** A number, or a string of digits where the service sent an integer beyond 2^53. */
export type WireInteger = number | string;

/** A column of the extracted table (section 2.4). */
export interface Field extends IDataObject {
	id: string;
	name: string;
}

/**
 * One run of a task, as the service sent it (section 2.3). Only its identifier is sure to be there:
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

export const BATCH_STATUS = { waiting: 1, running: 2, successful: 3, stopped: 4 } as const;

export type StatusName = keyof typeof BATCH_STATUS | 'unknown';

/** Orders of `GET /cloud/batches` (section 4.3). */
export const ORDER_BY = { newest: 0, longestRunning: 1, mostRows: 2 } as const;

export type OrderBy = (typeof ORDER_BY)[keyof typeof ORDER_BY];
