import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { maxCount, regions, startRun, type Runs } from '../runs/runs.ts';
import { batchRecord, batchSchema, countingNumber, envelopeOf, success } from './wire.ts';

const body = z.object({
	taskID: z.string(),
	region: z
		.string()
		.pipe(z.enum(['', ...regions]))
		.optional(),
	nodeCount: countingNumber(maxCount),
	jobCount: countingNumber(maxCount),
	actionParams: z.string().optional(),
});
const schema = { body, response: { 200: envelopeOf(batchSchema) } };

/** POST /cloud/start (section 4.1): stores a waiting batch and returns it at once. */
export function startTask(server: FastifyInstance, parts: Runs): void {
	server.post<{ Body: z.infer<typeof body> }>('/cloud/start', { schema }, async (request) =>
		success(batchRecord(await startRun(parts, request.body, request))),
	);
}
