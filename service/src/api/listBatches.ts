import { setImmediate as othersTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors/serviceError.ts';
import { findTask, type Runs } from '../runs/runs.ts';
import type { Batch } from '../store/batch.ts';
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

/** Bytes of fields on a page: a client has to hold all of them, and so has this service. */
const maxPageBytes = 32 * 1024 * 1024;

/** GET /cloud/batches (section 4.3). Batches stay listed when the file of their task is gone. */
export function listBatches(server: FastifyInstance, parts: Runs): void {
	const options = { schema, serializerCompiler: () => (answer: unknown) => JSON.stringify(answer) };
	server.get<{ Querystring: ListQuery }>('/cloud/batches', options, async ({ query }) => {
		const { page, size, orderBy, taskID: id } = query;
		const total = await parts.batches.count(id);
		if (total === 0) findTask(parts, id);
		const window = { offset: (page - 1) * size, size };
		const batches = await parts.batches.list(id, orderBy, window, maxPageBytes);
		const isCut = batches.length < Math.min(size, total - window.offset);
		// What was deleted since it was counted is no part of the page.
		if (isCut && batches.length > 0) throw tooLarge(batches.length);
		await othersTurn();
		return success({ list: batches.map(writtenFast), pagination: { page, size, total } });
	});
}

function tooLarge(fitting: number): ServiceError {
	return new ServiceError(
		'invalid',
		`The batches of this page have too many fields, more than 32 MiB or 8 MiB of different ones: ask for a smaller size, ${fitting} at most.`,
	);
}

/** For JSON.stringify, which writes very many fields in a quarter of the time that writing by the schema takes. */
function writtenFast(batch: Batch) {
	return { ...batchRecord(batch), batchID: JSON.rawJSON(String(batch.id)) };
}
