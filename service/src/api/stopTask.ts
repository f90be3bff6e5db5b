import type { FastifyInstance } from 'fastify';
import { noTask, type CloudParts } from './cloudParts.ts';
import { ApiError, errorCode } from './errors.ts';
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
export function stopTask(server: FastifyInstance, parts: CloudParts): void {
	server.post<{ Body: { taskID: string } }>('/cloud/stop', { schema }, ({ body }) => {
		const { taskID } = body;
		const batch = parts.batches.toStop(taskID);
		if (!batch) {
			if (!parts.tasks.find(taskID) && parts.batches.count(taskID) === 0) {
				throw noTask(parts, taskID);
			}
			throw new ApiError(
				errorCode.badRequest,
				`Task "${taskID.slice(0, 100)}" has no waiting or running batch to stop.`,
				409,
			);
		}
		return success(batchRecord(parts.dispatcher.stop(batch.id)));
	});
}
