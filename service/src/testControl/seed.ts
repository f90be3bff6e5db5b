import { z } from 'zod';
import { ServiceError } from '../errors/serviceError.ts';
import { maxCount } from '../runs/runs.ts';
import { regions, status, type Batch } from '../store/batch.ts';
import type { BatchStore, SeededBatch } from '../store/batchStore.ts';
import type { RowStore } from '../store/rowStore.ts';
import { readJson } from './readJson.ts';

/** Characters of rows that are shown together: about as many as a seed can have. */
const maxShown = 16 * 1024 * 1024;

const count = z.int().min(0);
const agents = z.int().min(1).max(maxCount).default(1);
const value = z.union([z.string(), z.number(), z.boolean(), z.null()], {
	error: 'must be a text, a number, true, false or null',
});

const batch = z
	.strictObject({
		taskID: z.guid('must be a UUID'),
		status: z
			.literal([status.waiting, status.running, status.successful, status.stopped])
			.default(status.successful),
		region: z.enum(regions).default(regions[0]),
		nodeCount: agents,
		jobCount: agents,
		createTime: count.optional(),
		updateTime: count.optional(),
		startTime: count.optional(),
		endTime: count.optional(),
		/** Seconds; of a running batch it goes on from its start. */
		useTime: count.optional(),
		lineCount: count.optional(),
		duplicatedCount: count.default(0),
		captchaCount: count.default(0),
		ipProxyUsage: count.default(0),
		fields: z.array(z.strictObject({ id: z.string().min(1), name: z.string() })).default([]),
		rows: z.array(z.record(z.string(), value)).default([]),
	})
	.superRefine(({ fields, rows }, context) => {
		const ids = new Set(fields.map(({ id }) => id));
		if (ids.size < fields.length) {
			context.addIssue({ code: 'custom', path: ['fields'], message: 'has an id twice' });
		}
		for (const [number, row] of rows.entries()) {
			const stray = Object.keys(row).find((id) => !ids.has(id));
			if (stray === undefined) continue;
			const message = `is a value of no field: add {"id": "${stray.slice(0, 100)}", "name": …} to fields`;
			context.addIssue({ code: 'custom', path: ['rows', number, stray], message });
			return;
		}
	});

const seed = z.strictObject({ batches: z.array(batch) });

/** A batch as a seed says it. */
type Said = z.output<typeof batch>;

/** Stores the batches of a seed, in the order of their creation; resolves to their identifiers in the order of the seed. */
export async function seedBatches(batches: BatchStore, json: unknown): Promise<bigint[]> {
	const said = readJson(seed, json, { whole: 'The seed' }).batches.map(seeded);
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
		region,
		...{ nodeCount, jobCount, createTime, updateTime, startTime, endTime },
		useTime: Math.floor(batch.runTime / 1000),
		...{ lineCount, duplicatedCount, captchaCount, ipProxyUsage, fields },
		rows: contents.map((content): unknown => JSON.parse(content)),
	};
}

/** What is not said of a batch follows from what is: one that has ended took no longer than was said. */
function seeded({ rows, useTime, ...said }: Said): SeededBatch {
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
		rows: rows.map((row) => JSON.stringify(row)),
	};
}
