import type { FastifyInstance } from 'fastify';
import { maxCount, regions, startRun, type Runs, type Start } from '../runs/runs.ts';
import { batchRecord, batchSchema, countingNumber, envelopeOf, success } from './wire.ts';

const count = countingNumber(maxCount);

const schema = {
	body: {
		type: 'object',
		required: ['taskID', 'nodeCount', 'jobCount'],
		properties: {
			taskID: { type: 'string' },
			region: { type: 'string', enum: ['', ...regions] },
			nodeCount: count,
			jobCount: count,
			actionParams: { type: 'string' },
		},
	},
	response: { 200: envelopeOf(batchSchema) },
};

/** POST /cloud/start (section 4.1): stores a waiting batch and returns it at once. */
export function startTask(server: FastifyInstance, parts: Runs): void {
	server.post<{ Body: Start }>('/cloud/start', { schema }, (request) =>
		success(batchRecord(startRun(parts, request.body, request))),
	);
}
