import { z } from 'zod';
import type { Batch } from '../store/batch.ts';

/** JSON schemas of what goes out. Fastify writes a bigint as a JSON integer where one says so. */
const integer = { type: 'integer' };
const text = { type: 'string' };

const object = (properties: Record<string, object>) => ({
	type: 'object',
	required: Object.keys(properties),
	properties,
});

/** The response envelope (section 2.1) around `data`. */
export const envelopeOf = (data: object) => object({ code: integer, msg: text, data });

/** A page of a list (section 2.2). */
export const pageOf = (items: object) =>
	object({
		list: { type: 'array', items },
		pagination: object({ page: integer, size: integer, total: integer }),
	});

/** A batch (section 2.3). */
export const batchSchema = object({
	batchID: integer,
	taskID: text,
	createTime: integer,
	updateTime: integer,
	startTime: integer,
	endTime: integer,
	useTime: integer,
	lineCount: integer,
	duplicatedCount: integer,
	captchaCount: integer,
	ipProxyUsage: integer,
	region: text,
	nodeCount: integer,
	jobCount: integer,
	status: integer,
	fields: { type: 'array', items: object({ id: text, name: text }) },
});

/** Whole numbers from 1. */
export const countingNumber = (maximum: number) => z.int().min(1).max(maximum);

/** The integers and booleans of a query, which is all text. */
export const integerText = z.string().regex(/^-?\d+$/, 'must be an integer');
export const wholeNumber = integerText.transform(Number);
export const truth = z
	.string()
	.regex(/^(true|false)$/, 'must be true or false')
	.transform((text) => text === 'true');

/** The query parameters of a page (section 2.2). */
export const pageQuery = {
	page: wholeNumber.pipe(countingNumber(1_000_000_000)),
	size: wholeNumber.pipe(countingNumber(1000)),
};

/** What every successful answer says. */
export const success = <Data>(data: Data) => ({ code: 0, msg: '', data });

/** A batch as clients see it (section 2.3): times in milliseconds, `useTime` in whole seconds. */
export function batchRecord(batch: Batch) {
	return {
		batchID: batch.id,
		taskID: batch.taskID,
		createTime: batch.createTime,
		updateTime: batch.updateTime,
		startTime: batch.startTime,
		endTime: batch.endTime,
		useTime: Math.floor(batch.runTime / 1000),
		lineCount: batch.lineCount,
		duplicatedCount: batch.duplicatedCount,
		captchaCount: batch.captchaCount,
		ipProxyUsage: batch.ipProxyUsage,
		region: batch.region,
		nodeCount: batch.nodeCount,
		jobCount: batch.jobCount,
		status: batch.status,
		fields: batch.fields,
	};
}
