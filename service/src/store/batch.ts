import { bigintIn, numberIn, textIn, type Columns } from './columns.ts';

/** Values of a batch's `status` (section 3 of the specification). */
export const status = { waiting: 1, running: 2, successful: 3, stopped: 4 } as const;

/** Where a batch can be worked on; one that is worked on anywhere is said to be in the first one. */
export const regions = ['us', 'gb', 'hk', 'jp'] as const;

/** How a batch has ended. */
export type EndStatus = typeof status.successful | typeof status.stopped;

/** A batch as it is stored. Times are milliseconds since 1970, 0 while they have not come. */
export interface Batch {
	id: bigint;
	taskID: string;
	/** Empty: whichever. */
	region: string;
	nodeCount: number;
	jobCount: number;
	status: number;
	createTime: number;
	updateTime: number;
	startTime: number;
	endTime: number;
	/** Milliseconds that it has run, or runs up to now. */
	runTime: number;
	lineCount: number;
	duplicatedCount: number;
	/** Credits that were used: only those of seeded batches. */
	captchaCount: number;
	ipProxyUsage: number;
	/** Pages that were given up. */
	failedPages: number;
	/** Why the batch ended that could not go on; empty for others. */
	endReason: string;
	/** The x-cp-request-id of the request that started the batch. */
	requestID: string;
	fields: readonly { readonly id: string; readonly name: string }[];
}

/** What is known of a batch before its task is read, which may be large. */
export type UnfinishedBatch = Pick<Batch, 'id' | 'taskID' | 'region' | 'requestID'>;

/** Whether a batch waits or runs. */
export function isUnfinished(batch: Batch): boolean {
	return batch.status === status.waiting || batch.status === status.running;
}

/** Its columns in the table `batches`. */
export const unfinishedColumns = 'batches.id, task_id, region, request_id';

/** Reads them; the identifier is read as bigint. */
export function unfinishedFrom(columns: Columns): UnfinishedBatch {
	return {
		id: bigintIn(columns, 'id'),
		taskID: textIn(columns, 'task_id'),
		region: textIn(columns, 'region'),
		requestID: textIn(columns, 'request_id'),
	};
}

/** Reads a row of the table `batches`, whose identifier is read as bigint. */
export function batchFrom(columns: Columns): Batch {
	return {
		id: bigintIn(columns, 'id'),
		taskID: textIn(columns, 'task_id'),
		region: textIn(columns, 'region'),
		nodeCount: numberIn(columns, 'node_count'),
		jobCount: numberIn(columns, 'job_count'),
		status: numberIn(columns, 'status'),
		createTime: numberIn(columns, 'create_time'),
		updateTime: numberIn(columns, 'update_time'),
		startTime: numberIn(columns, 'start_time'),
		endTime: numberIn(columns, 'end_time'),
		runTime: Math.max(0, numberIn(columns, 'run_time')),
		lineCount: numberIn(columns, 'line_count'),
		duplicatedCount: numberIn(columns, 'duplicated_count'),
		captchaCount: numberIn(columns, 'captcha_count'),
		ipProxyUsage: numberIn(columns, 'ip_proxy_usage'),
		failedPages: numberIn(columns, 'failed_pages'),
		endReason: textIn(columns, 'end_reason'),
		requestID: textIn(columns, 'request_id'),
		fields: fieldsFrom(textIn(columns, 'fields')),
	};
}

/** The fields that were read last: the batches of a task have the same, as a rule. */
let last: { json: string; fields: Batch['fields'] } | undefined;

function fieldsFrom(json: string): Batch['fields'] {
	if (last?.json === json) return last.fields;
	const fields: unknown = JSON.parse(json);
	if (!Array.isArray(fields) || !fields.every(isField)) {
		throw new TypeError('Column fields holds no fields.');
	}
	last = { json, fields };
	return fields;
}

function isField(value: unknown): value is Batch['fields'][number] {
	return (
		typeof value === 'object' &&
		value !== null &&
		'id' in value &&
		typeof value.id === 'string' &&
		'name' in value &&
		typeof value.name === 'string'
	);
}

/** Bytes of fields that differ, which take a hundred times as long to read as those that are equal to the ones before. */
const maxDistinct = 8 * 1024 * 1024;

/** How many of these batches, whose fields stand in the order of a page, one page may have; `maxBytes`: of all fields. */
export class FieldsOfPage {
	readonly #maxBytes: number;
	#last: string | undefined;
	#bytes = 0;
	#distinct = 0;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** Whether the page is full with these. */
	isFullWith(fields: string): boolean {
		const bytes = Buffer.byteLength(fields);
		this.#bytes += bytes;
		if (fields !== this.#last) this.#distinct += bytes;
		this.#last = fields;
		return this.#bytes > this.#maxBytes || this.#distinct > Math.min(maxDistinct, this.#maxBytes);
	}
}
