import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Batch } from '../store/batch.ts';
import { browserMissing } from '../pages/browser/findBrowser.ts';
import { ActionParamsMistake, withActionParams } from '../tasks/actionParams.ts';
import { splitJobs } from '../tasks/splitJobs.ts';
import { columnsOf, type Task } from '../tasks/task.ts';
import { noTask, type CloudParts } from './cloudParts.ts';
import { ApiError, errorCode } from './errors.ts';
import { batchRecord, batchSchema, countingNumber, envelopeOf, success } from './wire.ts';

/** What a run is started with (section 4.1). */
export interface StartBody {
	taskID: string;
	region?: string;
	nodeCount: number;
	jobCount: number;
	actionParams?: string;
}

const count = countingNumber(2_147_483_647);

const schema = {
	body: {
		type: 'object',
		required: ['taskID', 'nodeCount', 'jobCount'],
		properties: {
			taskID: { type: 'string' },
			region: { type: 'string', enum: ['', 'us', 'gb', 'hk', 'jp'] },
			nodeCount: count,
			jobCount: count,
			actionParams: { type: 'string' },
		},
	},
	response: { 200: envelopeOf(batchSchema) },
};

/** Where a run without a region takes place. */
const defaultRegion = 'us';

/** POST /cloud/start (section 4.1): stores a waiting batch and returns it at once. */
export function startTask(server: FastifyInstance, parts: CloudParts): void {
	server.post<{ Body: StartBody }>('/cloud/start', { schema }, (request) =>
		success(batchRecord(startBatch(parts, request.body, request))),
	);
}

/** Stores a waiting batch and has agents work on it, for a request; throws an ApiError. */
export function startBatch(
	parts: CloudParts,
	body: StartBody,
	{ id, log }: Pick<FastifyRequest, 'id' | 'log'>,
): Batch {
	const configured = parts.tasks.find(body.taskID);
	if (!configured) throw noTask(parts, body.taskID);
	const task = withValues(configured, body.actionParams);
	if (!parts.dispatcher.canRun(task)) {
		throw new ApiError(errorCode.badRequest, `This task needs a browser. ${browserMissing}`, 409);
	}
	const lost = parts.file.whyLost();
	if (lost !== undefined) throw new ApiError(errorCode.badRequest, lost, 500);
	const batch = parts.batches.create({
		taskID: task.taskID,
		task: JSON.stringify(task),
		region: body.region || defaultRegion,
		nodeCount: body.nodeCount,
		requestID: id,
		fields: columnsOf(task),
		jobs: splitJobs(task, body.jobCount),
		start: { jobCount: body.jobCount, actionParams: body.actionParams ?? '' },
	});
	log.info({ batchID: String(batch.id) }, 'batch created');
	parts.dispatcher.add(batch, task);
	return batch;
}

function withValues(task: Task, actionParams: string | undefined): Task {
	if (actionParams === undefined) return task;
	try {
		return withActionParams(task, actionParams);
	} catch (error) {
		if (!(error instanceof ActionParamsMistake)) throw error;
		const code = {
			unreadable: errorCode.unreadable,
			invalid: errorCode.invalid,
			unknownStep: errorCode.notFound,
		}[error.reason];
		throw new ApiError(code, error.message);
	}
}
