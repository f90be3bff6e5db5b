import type { FastifyBaseLogger } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import { browserMissing } from '../pages/browser/findBrowser.ts';
import type { Batch } from '../store/batch.ts';
import type { BatchStore } from '../store/batchStore.ts';
import { withActionParams } from '../tasks/actionParams.ts';
import { splitJobs } from '../tasks/splitJobs.ts';
import { columnsOf, type Task } from '../tasks/task.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Scraping } from './scraping.ts';

/** What runs are made with: the tasks, and what scrapes. */
export interface Runs extends Omit<Scraping, 'close'> {
	tasks: Tasks;
}

/** Agents that a run can ask for, and jobs. */
export const maxCount = 2_147_483_647;

/** What a run is started with (section 4.1). */
export interface Start {
	taskID: string;
	region?: string;
	nodeCount: number;
	jobCount: number;
	actionParams?: string;
}

/** Who asks for a run: by the id of their request it is found again, and their log says that it is there. */
interface Starter {
	id: string;
	/** Whether their request starts one run, however often it is made. */
	once?: boolean;
	log: FastifyBaseLogger;
}

/** Stores a waiting batch of a task and has agents work on it. Throws a ServiceError where that cannot be. */
export async function startRun(parts: Runs, start: Start, starter: Starter): Promise<Batch> {
	// Who has saved a task at one process may start it at another one, before that is told of it.
	await parts.tasks.upToDate(starter.log);
	const task = withActionParams(findTask(parts, start.taskID), start.actionParams ?? '');
	if (!parts.dispatcher.canRun(task)) {
		throw new ServiceError('conflict', `This task needs a browser. ${browserMissing}`);
	}
	refuseWhereLost(parts);
	return beginRun(parts, task, start, starter);
}

/** Throws a ServiceError where nothing more is to be stored: it would be lost, or takes the last room there is. */
export function refuseWhereLost({ database }: Pick<Runs, 'database'>): void {
	const lost = database.whyLost();
	if (lost !== undefined) throw new ServiceError('failed', lost);
}

/** The same for a task that is at hand, as it is, and can be run here. */
export async function beginRun(
	{ batches, dispatcher }: Pick<Runs, 'batches' | 'dispatcher'>,
	task: Task,
	{ region, nodeCount, jobCount, actionParams = '' }: Omit<Start, 'taskID'>,
	{ id, once, log }: Starter,
): Promise<Batch> {
	const jobs = splitJobs(task, jobCount);
	const batch = await batches.create({
		taskID: task.taskID,
		task: JSON.stringify(task),
		region: region ?? '',
		nodeCount,
		requestID: id,
		once,
		fields: columnsOf(task),
		jobs,
		start: { jobCount, actionParams },
	});
	log.info({ batchID: String(batch.id) }, 'batch created');
	dispatcher.add(
		batch,
		task,
		jobs.map((job, number) => ({ ...job, number })),
	);
	return batch;
}

/** Milliseconds by which two clocks may be apart that measure the same time. */
const blur = 5;
/** How often the clock of the database is asked, unless it answers at once: the quickest answer tells most. */
const maxLooks = 3;

/** A request to stop a task. */
interface Stop {
	/** When it came, by `performance.now()`. */
	came: number;
	/** Whether somebody waits for the answer at this moment. */
	isAwaited: () => boolean;
}

/**
 * Stops the running batch of a task, else a waiting one, the newest of several; of those that were there when the
 * request came, however late it is carried out: somebody else may have started the task
 * since. Throws a ServiceError where there is none.
 */
export async function stopRunOf(
	parts: Runs,
	taskID: string,
	{ came, isAwaited }: Stop,
): Promise<Batch> {
	const { time, took } = await inTimeOf(parts.batches, came);
	// Who waits for the answer is told what was stopped; and started it perhaps elsewhere, just before.
	const latest = time + blur + (isAwaited() ? took / 2 : 0);
	for (let batch; (batch = await parts.batches.toStop(taskID, latest));) {
		// One that has ended since it was found, by itself or by another stop, was not stopped by this one.
		const stopped = await parts.dispatcher.stop(batch.id);
		if (stopped) return stopped;
	}
	if ((await parts.batches.count(taskID)) === 0) findTask(parts, taskID);
	const name = taskID.slice(0, 100);
	throw new ServiceError('conflict', `Task "${name}" has no waiting or running batch to stop.`);
}

/**
 * A time by `performance.now()` in that of the database, as if questions took as long on their way as answers; and how
 * many milliseconds both `took`.
 */
async function inTimeOf(
	batches: BatchStore,
	moment: number,
): Promise<{ time: number; took: number }> {
	let found = { took: Infinity, time: NaN };
	for (let looks = 0; looks < maxLooks && found.took > blur; looks += 1) {
		const asked = performance.now();
		const now = await batches.now();
		const answered = performance.now();
		const took = answered - asked;
		const time = now - ((asked + answered) / 2 - moment);
		if (took < found.took) found = { took, time };
	}
	return found;
}

/** The task of an identifier; throws a ServiceError where there is none, or its file is bad. */
export function findTask({ tasks }: Runs, taskID: string): Task {
	const task = tasks.find(taskID);
	if (task) return task;
	const bad = tasks.findBad(taskID);
	if (!bad) throw new ServiceError('notFound', `There is no task "${taskID.slice(0, 100)}".`);
	const mistake = withoutPasswords(bad.message);
	throw new ServiceError('conflict', `The task file ${bad.file} is bad: ${mistake}.`);
}
