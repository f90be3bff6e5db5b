import type { FastifyBaseLogger } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { browserMissing } from '../pages/browser/findBrowser.ts';
import type { Batch } from '../store/batch.ts';
import { withActionParams } from '../tasks/actionParams.ts';
import { splitJobs } from '../tasks/splitJobs.ts';
import { columnsOf, type Task } from '../tasks/task.ts';
import { findTask } from './find.ts';
import type { Runs, Scraping } from './scraping.ts';

/** Where a run can take place; without a region, in the first one. */
export const regions = ['us', 'gb', 'hk', 'jp'] as const;

/** Agents that a run can ask for, and jobs. */
export const maxCount = 2_147_483_647;

/** What a task is run with (section 4.1). */
export interface RunValues {
	region?: string;
	nodeCount: number;
	jobCount: number;
	actionParams?: string;
}

/** What a run is started with. */
export interface Start extends RunValues {
	taskID: string;
}

/** Who asks for a run: by the id of their request it is found again, and their log says that it is there. */
export interface Starter {
	id: string;
	log: FastifyBaseLogger;
}

/** Stores a waiting batch of a task and has agents work on it. Throws a ServiceError where that cannot be. */
export function startRun(parts: Runs, { taskID, ...values }: Start, starter: Starter): Batch {
	const configured = findTask(parts, taskID);
	const task = withActionParams(configured, values.actionParams ?? '');
	if (!parts.dispatcher.canRun(task)) {
		throw new ServiceError('conflict', `This task needs a browser. ${browserMissing}`);
	}
	const lost = parts.file.whyLost();
	if (lost !== undefined) throw new ServiceError('failed', lost);
	return beginRun(parts, task, values, starter);
}

/** The same for a task that is at hand, as it is, and can be run here. */
export function beginRun(
	{ batches, dispatcher }: Scraping,
	task: Task,
	{ region, nodeCount, jobCount, actionParams = '' }: RunValues,
	{ id, log }: Starter,
): Batch {
	const batch = batches.create({
		taskID: task.taskID,
		task: JSON.stringify(task),
		region: region || regions[0],
		nodeCount,
		requestID: id,
		fields: columnsOf(task),
		jobs: splitJobs(task, jobCount),
		start: { jobCount, actionParams },
	});
	log.info({ batchID: String(batch.id) }, 'batch created');
	dispatcher.add(batch, task);
	return batch;
}
