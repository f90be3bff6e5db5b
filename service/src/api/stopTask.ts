import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { stopRunOf, type Runs } from '../runs/runs.ts';
import { batchRecord, batchSchema, envelopeOf, success } from './wire.ts';

const body = z.object({ taskID: z.string() });
const schema = { body, response: { 200: envelopeOf(batchSchema) } };

/** POST /cloud/stop (section 4.2): the running batch is stopped, else a waiting one, the newest of several. */
export function stopTask(server: FastifyInstance, parts: Runs): void {
	server.post<{ Body: z.infer<typeof body> }>('/cloud/stop', { schema }, async ({ body }) =>
		success(batchRecord(await stopRunOf(parts, body.taskID))),
	);
}
