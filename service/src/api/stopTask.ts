import type { FastifyInstance } from 'fastify';
import { status } from '../store/batch.ts';
import { storedTaskID, unknownTask, type CloudParts } from './cloudParts.ts';
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

/** POST /cloud/stop (section 4.2): of several waiting or running batches, the newest is stopped. */
export function stopTask(server: FastifyInstance, parts: CloudParts): void {
	server.post<{ Body: { taskID: string } }>('/cloud/stop', { schema }, ({ body }) => {
		const taskID = storedTaskID(parts, body.taskID);
		const newest = parts.batches.newestUnfinished(taskID);
		if (!newest) {
			if (!parts.tasks.has(taskID.toLowerCase()) && parts.batches.count(taskID) === 0) {
				throw unknownTask(body.taskID);
			}
			throw new ApiError(
				errorCode.badRequest,
				`Task "${taskID}" has no waiting or running batch to stop.`,
				409,
			);
		}
		const stopped = parts.batches.end(newest.id, status.stopped);
		parts.dispatcher.stop(newest.id);
		return success(batchRecord(stopped));
	});
}
