import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findTask, type Runs } from '../runs/runs.ts';
import {
	batchRecord,
	batchSchema,
	envelopeOf,
	pageOf,
	pageQuery,
	success,
	wholeNumber,
} from './wire.ts';

const querystring = z.object({
	...pageQuery,
	taskID: z.string(),
	orderBy: wholeNumber.pipe(z.int().min(0).max(2)),
});
type ListQuery = z.infer<typeof querystring>;
const schema = { querystring, response: { 200: envelopeOf(pageOf(batchSchema)) } };

/** GET /cloud/batches (section 4.3). Batches stay listed when the file of their task is gone. */
export function listBatches(server: FastifyInstance, parts: Runs): void {
	server.get<{ Querystring: ListQuery }>('/cloud/batches', { schema }, async ({ query }) => {
		const { page, size, orderBy, taskID } = query;
		const total = await parts.batches.count(taskID);
		if (total === 0) findTask(parts, taskID);
		const window = { offset: (page - 1) * size, size };
		const batches = await parts.batches.list(taskID, orderBy, window);
		return success({ list: batches.map(batchRecord), pagination: { page, size, total } });
	});
}
