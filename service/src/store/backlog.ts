import { bigintIn, numberIn, textIn, type Columns } from './columns.ts';

/** How much is to be done: batches that wait and that run, and their jobs. */
export interface BacklogCounts {
	waiting: number;
	running: number;
	/** When the first of those that wait was created (milliseconds since 1970); undefined: none waits. */
	waitingSince: number | undefined;
	jobsOpen: number;
	jobsDone: number;
}

/** A batch that waits. */
export interface WaitingBatch {
	id: bigint;
	taskID: string;
	region: string;
	/** Milliseconds since 1970. */
	createTime: number;
}

/** What is still to be done. */
export interface Backlog {
	counts(): Promise<BacklogCounts>;
	/** The batches that wait for another region than these, the oldest first: so many of them, and how many there are. */
	waitingElsewhere(
		regions: readonly string[],
		most: number,
	): Promise<{ batches: WaitingBatch[]; count: number }>;
}

/** What `counts` asks both databases. */
export const batchesQuery = `SELECT count(*) FILTER (WHERE status = 1) AS waiting, count(*) FILTER (WHERE status = 2) AS running,
	coalesce(min(create_time) FILTER (WHERE status = 1), 0) AS waiting_since FROM batches WHERE status IN (1, 2)`;
export const jobsQuery = `SELECT count(*) FILTER (WHERE done = 0) AS open, count(*) FILTER (WHERE done <> 0) AS done
	FROM jobs WHERE batch_id IN (SELECT id FROM batches WHERE status IN (1, 2))`;

/** Puts together what these have found. */
export function countsFrom(batches: Columns | undefined, jobs: Columns | undefined): BacklogCounts {
	const waiting = numberIn(batches, 'waiting');
	return {
		waiting,
		running: numberIn(batches, 'running'),
		waitingSince: waiting > 0 ? numberIn(batches, 'waiting_since') : undefined,
		jobsOpen: numberIn(jobs, 'open'),
		jobsDone: numberIn(jobs, 'done'),
	};
}

/** Reads a row of the table `batches`, whose identifier is read as bigint. */
export function waitingBatchFrom(columns: Columns): WaitingBatch {
	return {
		id: bigintIn(columns, 'id'),
		taskID: textIn(columns, 'task_id'),
		region: textIn(columns, 'region'),
		createTime: numberIn(columns, 'create_time'),
	};
}
