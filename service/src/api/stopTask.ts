import type { FastifyInstance } from 'fastify';
import { stopRunOf, type Runs } from '../runs/runs.ts';
import { batchRecord, batchSchema, envelopeOf, success } from './wire.ts';

const schema = {
	body: {
		type: 'object',
		required: ['taskID'],
		properties: { taskID: { type: 'string' } },
	},
	response: { 200: envelopeOf(batchSchema) },
};

/** POST /cloud/stop (section 4.2): the running batch is stopped, else a waiting one, the newest of several. */
export function stopTask(server: FastifyInstance, parts: Runs): void {
	server.post<{ Body: { taskID: string } }>('/cloud/stop', { schema }, ({ body }) =>
		success(batchRecord(stopRunOf(parts, body.taskID))),
	);
}
