import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findTask, type Runs } from '../runs/runs.ts';
import {
	batchRecord,
	batchSchema,
	chosenHere,
	envelopeOf,
	pageOf,
	pageQuery,
	success,
	taskID,
	wholeNumber,
} from './wire.ts';

const querystring = z.object({
	...pageQuery,
	taskID: taskID(),
	orderBy: wholeNumber.pipe(
		z
			.int()
			.min(0)
			.max(2)
			.meta({
				description:
					'Largest first, by 0: creation time, 1: running time, 2: number of scraped rows.',
				...chosenHere('Of equal ones, the newest first.'),
			}),
	),
});
type ListQuery = z.infer<typeof querystring>;
const schema = {
	operationId: 'listBatches',
	summary: 'Lists the batches of a task.',
	querystring,
	response: { 200: envelopeOf(pageOf(batchSchema)) },
};

/** GET /cloud/batches (section 4.3). Batches stay listed when the file of their task is gone. */
export function listBatches(server: FastifyInstance, parts: Runs): void {
	server.get<{ Querystring: ListQuery }>('/cloud/batches', { schema }, async ({ query }) => {
		const { page, size, orderBy, taskID: id } = query;
		const total = await parts.batches.count(id);
		if (total === 0) findTask(parts, id);
		const window = { offset: (page - 1) * size, size };
		const batches = await parts.batches.list(id, orderBy, window);
		return success({ list: batches.map(batchRecord), pagination: { page, size, total } });
	});
}
