import type { FastifyInstance } from 'fastify';
import { status } from '../store/batch.ts';
import { noTask, storedTaskID, type CloudParts } from './cloudParts.ts';
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
		const taskID = storedTaskID(parts, body.taskID);
		const batch = parts.batches.toStop(taskID);
		if (!batch) {
			if (!parts.tasks.find(taskID) && parts.batches.count(taskID) === 0) {
				throw noTask(parts, body.taskID);
			}
			throw new ApiError(
				errorCode.badRequest,
				`Task "${taskID}" has no waiting or running batch to stop.`,
				409,
			);
		}
		const stopped = parts.batches.end(batch.id, status.stopped);
		parts.dispatcher.stop(batch.id);
		return success(batchRecord(stopped));
	});
}
