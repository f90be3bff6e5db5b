import { z } from 'zod';
import { regions, type Batch } from '../store/batch.ts';

/** What the specification leaves open, and what this service does there: `chosenHere` of a schema. */
export const chosenHere = (choice: string) => ({ 'x-chosen-here': choice });

/** JSON schemas of what goes out. Fastify writes a bigint as a JSON integer where one says so. */
const integer = { type: 'integer' };
const text = { type: 'string' };

const said = (description: string) => ({ ...integer, description });
const time = (description: string) => ({
	...said(description),
	...chosenHere('Milliseconds since 1970.'),
});
const credits = (description: string) => ({
	...said(description),
	...chosenHere('0, unless the batch was seeded by a test.'),
});

const object = (properties: Record<string, object>) => ({
	type: 'object',
	required: Object.keys(properties),
	properties,
});

/** The response envelope (section 2.1) around `data`. */
export const envelopeOf = (data: object) => ({
	description: 'What was asked for.',
	...object({
		code: { ...integer, enum: [0], description: '0 means success.' },
		msg: { ...text, description: 'Empty on success.' },
		data,
	}),
});

/** The response envelope of a failed request, of which Fastify writes none: see `failureEnvelope`. */
export const failureSchema = object({
	code: {
		...integer,
		// Not the only ones: a test can have any other answered.
		not: { const: 0 },
		description: 'Why.',
		'x-meanings': [
			{ code: 9000000, means: 'a parameter or the body cannot be read, or is missing' },
			{ code: 9000001, means: 'a value is out of range' },
			{ code: 9000002, means: 'it cannot be done, or not as things stand; msg says why' },
			{ code: 9000003, means: 'the API key is missing or wrong' },
			{ code: 9000004, means: 'there is no such task, batch, step, path or endpoint' },
			{ code: 9000005, means: 'it exists already' },
		],
	},
	msg: { ...text, description: 'What is wrong, and what to do.' },
	data: { type: 'null' },
});

/** A page of a list (section 2.2). */
export const pageOf = (items: object) =>
	object({
		list: { type: 'array', items },
		pagination: object({ page: integer, size: integer, total: integer }),
	});

/** A batch (section 2.3). */
export const batchSchema = object({
	batchID: {
		...said('Generated batch identifier.'),
		format: 'int64',
		...chosenHere('Grows; below 2^53, unless SERVICE_LARGE_IDS is set.'),
	},
	taskID: { ...text, description: 'The task this batch belongs to, a UUID.' },
	createTime: time('When it was created.'),
	updateTime: time('When it was updated last.'),
	startTime: time('When scraping started; 0 while it has not.'),
	endTime: time('When scraping finished; 0 while it has not.'),
	useTime: said('Seconds spent scraping.'),
	lineCount: said('Scraped rows.'),
	duplicatedCount: said('Duplicated rows.'),
	captchaCount: credits('Captcha credits that were used.'),
	ipProxyUsage: credits('IP proxy credits that were used.'),
	region: {
		...text,
		description: 'The region the batch runs in.',
		...chosenHere('us where none was asked for.'),
	},
	nodeCount: said('Agents at most, as the start has asked.'),
	jobCount: said('Jobs that the run was split into.'),
	status: {
		...integer,
		enum: [1, 2, 3, 4],
		description: '1 waiting, 2 running, 3 successful, 4 stopped by user.',
		...chosenHere('4 also where a batch cannot go on.'),
	},
	fields: {
		type: 'array',
		items: object({
			id: text,
			name: { ...text, description: 'The column header of the extracted table.' },
		}),
		description: 'The fields of the task’s Extract Data steps.',
	},
});

/** Whole numbers from 1. */
export const countingNumber = (maximum: number) => z.int().min(1).max(maximum);

/** The identifier of a task in a request. */
export const taskID = () =>
	z.string().meta({
		description: 'Identifier of the task.',
		...chosenHere('Compared without regard to case.'),
	});

/** The integers and booleans of a query, which is all text. */
export const integerText = z.string().regex(/^-?\d+$/, 'must be an integer');
export const wholeNumber = integerText.transform(Number);
export const truth = z
	.string()
	.regex(/^(true|false)$/, 'must be true or false')
	.transform((text) => text === 'true')
	.pipe(z.boolean());

/** The query parameters of a page (section 2.2). */
export const pageQuery = {
	page: wholeNumber.pipe(
		countingNumber(1_000_000_000).meta({ description: 'Page index, from 1.' }),
	),
	size: wholeNumber.pipe(
		countingNumber(1000).meta({
			description: 'Items per page.',
			...chosenHere('1,000 at most.'),
		}),
	),
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
		region: batch.region || regions[0],
		nodeCount: batch.nodeCount,
		jobCount: batch.jobCount,
		status: batch.status,
		fields: batch.fields,
	};
}
