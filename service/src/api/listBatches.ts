import type { FastifyInstance } from 'fastify';
import { findTask, type Runs } from '../runs/runs.ts';
import { batchRecord, batchSchema, envelopeOf, pageOf, pageQuery, success } from './wire.ts';

interface ListQuery {
	page: number;
	size: number;
	taskID: string;
	orderBy: number;
}

const schema = {
	querystring: {
		type: 'object',
		required: ['page', 'size', 'taskID', 'orderBy'],
		properties: {
			...pageQuery,
			taskID: { type: 'string' },
			orderBy: { type: 'integer', minimum: 0, maximum: 2 },
		},
	},
	response: { 200: envelopeOf(pageOf(batchSchema)) },
};

/** GET /cloud/batches (section 4.3). Batches stay listed when the file of their task is gone. */
export function listBatches(server: FastifyInstance, parts: Runs): void {
	server.get<{ Querystring: ListQuery }>('/cloud/batches', { schema }, ({ query }) => {
		const { page, size, orderBy, taskID } = query;
		const total = parts.batches.count(taskID);
		if (total === 0) findTask(parts, taskID);
		const batches = parts.batches.list(taskID, orderBy, { offset: (page - 1) * size, size });
		return success({ list: batches.map(batchRecord), pagination: { page, size, total } });
	});
}
