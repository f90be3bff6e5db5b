import { bigintIn, numberIn, textIn, type Columns } from './columns.ts';

/** Batches that have not ended. */
export interface BatchCounts {
	waiting: number;
	running: number;
	/** When the first of those that wait was created (milliseconds since 1970); undefined: none waits. */
	waitingSince: number | undefined;
}

/** Their jobs. */
export interface JobCounts {
	open: number;
	done: number;
}

/** A batch that waits for agents, or has lost them. */
export interface WaitingBatch {
	id: bigint;
	taskID: string;
	region: string;
	/** Milliseconds since 1970. */
	createTime: number;
}

/** What is still to be done. */
export interface Backlog {
	batchCounts(): Promise<BatchCounts>;
	jobCounts(): Promise<JobCounts>;
	/**
	 * The batches that have not ended and are for another region than these, the oldest first: so many of them, and
	 * how many there are.
	 */
	waitingElsewhere(
		regions: readonly string[],
		most: number,
	): Promise<{ batches: WaitingBatch[]; count: number }>;
}

/** What both databases are asked. */
export const batchesQuery = `SELECT count(*) FILTER (WHERE status = 1) AS waiting, count(*) FILTER (WHERE status = 2) AS running,
	coalesce(min(create_time) FILTER (WHERE status = 1), 0) AS waiting_since FROM batches WHERE status IN (1, 2)`;
export const jobsQuery = `SELECT count(*) FILTER (WHERE done = 0) AS open, count(*) FILTER (WHERE done <> 0) AS done
	FROM jobs WHERE batch_id IN (SELECT id FROM batches WHERE status IN (1, 2))`;

/** Reads what `batchesQuery` finds. */
export function batchCountsFrom(columns: Columns | undefined): BatchCounts {
	const waiting = numberIn(columns, 'waiting');
	const waitingSince = waiting > 0 ? numberIn(columns, 'waiting_since') : undefined;
	return { waiting, running: numberIn(columns, 'running'), waitingSince };
}

/** Reads what `jobsQuery` finds. */
export function jobCountsFrom(columns: Columns | undefined): JobCounts {
	return { open: numberIn(columns, 'open'), done: numberIn(columns, 'done') };
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
