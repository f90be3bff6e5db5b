import { z } from 'zod';
import { isObject } from '../errors/mistakeOf.ts';
import { ServiceError } from '../errors/serviceError.ts';
import { maxCount } from '../runs/runs.ts';
import { regions, status, type Batch } from '../store/batch.ts';
import type { BatchStore, SeededBatch } from '../store/batchStore.ts';
import { rowIn } from '../store/row.ts';
import { maxRow, maxValue } from '../text/rowLimits.ts';
import type { RowStore } from '../store/rowStore.ts';
import { parseExactly } from '../text/exactJson.ts';
import { jsonIn, readJson } from './readJson.ts';

/** Characters of rows that are shown together: about as many as a seed can have. */
const maxShown = 16 * 1024 * 1024;

const count = z.int().min(0);
/** Milliseconds: dates end at 8,640,000 thousand millions of them, which no sum of two of these passes. */
const time = count.max(4e15);
const seconds = count.max(4e12);
const agents = z.int().min(1).max(maxCount).default(1);
const value = z.union([z.string(), z.number(), z.boolean(), z.null()], {
	error: ({ input }) =>
		typeof input === 'number'
			? 'must be written as a text'
			: 'must be a text, a number, true, false or null',
});

/** Objects of JavaScript have a member of this name. */
const fieldID = z
	.string()
	.min(1)
	.refine((id) => id !== '__proto__', 'cannot be "__proto__": choose another one');

const batch = z
	.strictObject({
		taskID: z.guid('must be a UUID'),
		status: z
			.literal([status.waiting, status.running, status.successful, status.stopped])
			.default(status.successful),
		region: z.enum(regions).default(regions[0]),
		nodeCount: agents,
		jobCount: agents,
		createTime: time.optional(),
		updateTime: time.optional(),
		startTime: time.optional(),
		endTime: time.optional(),
		/** Seconds; of a running batch it goes on from its start. */
		useTime: seconds.optional(),
		lineCount: count.optional(),
		duplicatedCount: count.default(0),
		captchaCount: count.default(0),
		ipProxyUsage: count.default(0),
		fields: z.array(z.strictObject({ id: fieldID, name: z.string() })).default([]),
		rows: z.array(z.record(z.string(), value)).default([]),
	})
	.superRefine(({ fields }, context) => {
		const ids = new Set(fields.map(({ id }) => id));
		if (ids.size < fields.length) {
			context.addIssue({ code: 'custom', path: ['fields'], message: 'has an id twice' });
		}
	});

const seed = z.strictObject({ batches: z.array(batch) });

/** The rows of a seed that has been read, with its numbers as they are written. */
const writtenRows = z.object({
	batches: z.array(z.object({ rows: z.array(z.unknown()).default([]) })),
});

/** A batch as a seed says it. */
type Said = z.output<typeof batch>;

/**
 * Stores the batches of a seed, a JSON text, in the order of their creation; resolves to their identifiers in the
 * order of the seed.
 */
export async function seedBatches(batches: BatchStore, text: string): Promise<bigint[]> {
	const read = readJson(seed, jsonIn(text), { whole: 'The seed' }).batches;
	const written = writtenRows.parse(parseExactly(text)).batches;
	const said = read.map((each, index) => {
		const ids = new Set(each.fields.map(({ id }) => id));
		const rows = written[index]?.rows ?? [];
		return seeded(
			each,
			rows.map((row, number) => contentOf(row, ids, `batches.${index}.rows.${number}`)),
		);
	});
	const byCreation = said.toSorted((one, other) => one.createTime - other.createTime);
	const ids = await batches.seed(byCreation);
	const idOf = new Map(byCreation.map((each, index) => [each, ids[index]]));
	return said.flatMap((each) => idOf.get(each) ?? []);
}

/** The batch of an identifier as it stands in an address. Throws a ServiceError where there is none. */
export async function batchOf(batches: BatchStore, id: string): Promise<Batch> {
	const isOne = /^\d{1,19}$/.test(id) && BigInt(id) < 2n ** 63n;
	const found = isOne ? await batches.find(BigInt(id)) : undefined;
	if (!found) throw new ServiceError('notFound', `There is no batch ${id.slice(0, 100)}.`);
	return found;
}

/** A batch in the form that a seed takes. Throws a ServiceError where it is too large for one. */
export async function seedOf(rows: RowStore, batch: Batch): Promise<object> {
	const contents: string[] = [];
	let characters = 0;
	for (;;) {
		const more = await rows.read(batch, { offset: contents.length, size: 1_000 });
		if (more.length === 0) break;
		contents.push(...more);
		characters += more.reduce((sum, { length }) => sum + length, 0);
		if (characters > maxShown) {
			const message = `The rows of batch ${batch.id} are larger than 16 MiB: read them page by page from /cloud/data.`;
			throw new ServiceError('tooLarge', message);
		}
	}
	const { taskID, region, nodeCount, jobCount, createTime, updateTime, startTime, endTime } = batch;
	const { lineCount, duplicatedCount, captchaCount, ipProxyUsage, fields } = batch;
	return {
		taskID,
		status: batch.status,
		region: region || regions[0],
		...{ nodeCount, jobCount, createTime, updateTime, startTime, endTime },
		useTime: Math.floor(batch.runTime / 1000),
		...{ lineCount, duplicatedCount, captchaCount, ipProxyUsage, fields },
		rows: contents.map(rowIn),
	};
}

/** A row as it is stored. Throws a ServiceError where it has what no row can have; `place`: where it stands. */
function contentOf(row: unknown, ids: Set<string>, place: string): string {
	const refused = (what: string) => new ServiceError('invalid', `${what}. Nothing was changed.`);
	for (const [id, value] of Object.entries(isObject(row) ? row : {})) {
		const name = id.slice(0, 100);
		if (!ids.has(id)) {
			const advice = `add {"id": "${name}", "name": …} to fields`;
			throw refused(`${place}.${name} is a value of no field: ${advice}`);
		}
		if (typeof value === 'string' && value.length > maxValue) {
			throw refused(`${place}.${name} has ${value.length} characters, more than ${maxValue}`);
		}
	}
	const content = JSON.stringify(row);
	if (content.length <= maxRow) return content;
	throw refused(`${place} has ${content.length} characters, more than ${maxRow}`);
}

/** What is not said of a batch follows from what is: one that has ended took no longer than was said. */
function seeded({ rows: _, useTime, ...said }: Said, rows: string[]): SeededBatch {
	const hasStarted = said.status !== status.waiting;
	const hasEnded = hasStarted && said.status !== status.running;
	const createTime = said.createTime ?? said.startTime ?? Date.now();
	const startTime = said.startTime ?? (hasStarted ? createTime : 0);
	const runTime = useTime === undefined ? undefined : useTime * 1000;
	const endTime = said.endTime ?? (hasEnded ? startTime + (runTime ?? 0) : 0);
	return {
		...said,
		createTime,
		startTime,
		endTime,
		updateTime: said.updateTime ?? (endTime || startTime || createTime),
		runTime: runTime ?? (hasEnded ? Math.max(0, endTime - startTime) : 0),
		lineCount: said.lineCount ?? rows.length,
		rows,
	};
}
