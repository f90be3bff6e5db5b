import type { Batch, EndStatus, UnfinishedBatch } from './batch.ts';
import { numberIn, textIn, type Columns } from './columns.ts';

/** What a new batch is made of. `task` is the task as it is started, as JSON. */
export interface NewBatch {
	taskID: string;
	task: string;
	region: string;
	nodeCount: number;
	requestID: string;
	/** Whether a request that has started one starts no other. */
	once?: boolean;
	fields: Batch['fields'];
	jobs: { first: number; end: number }[];
	/** Absent: there is no telling what it was started with. */
	start?: Start;
}

/** A batch as it is to be, with its rows as JSON: nobody works on it, whatever its status says. */
export interface SeededBatch extends Omit<Batch, 'id' | 'failedPages' | 'endReason' | 'requestID'> {
	rows: string[];
}

/** What a start has asked for that a batch does not tell (section 4.1). */
export interface Start {
	/** Jobs at most. */
	jobCount: number;
	/** Empty: the values of the task. */
	actionParams: string;
}

/** Characters of the reason why a batch ended. */
export const maxReason = 2_000;

/** The orders of section 4.3, each an index of the table. Ties are broken by creation. */
export const orders = [
	'creation DESC',
	'run_time DESC, creation DESC',
	'line_count DESC, creation DESC',
] as const;

/** The batches, their state and the tasks that the unfinished ones run. Task IDs are the same in capitals. */
export interface BatchStore {
	/**
	 * Stores a waiting batch with its jobs, or finds the one that its request has started, where it starts one
	 * alone. Identifiers grow, also over restarts.
	 */
	create(batch: NewBatch): Promise<Batch>;
	/** Stores batches as they are said, all or none; resolves to their identifiers. */
	seed(batches: SeededBatch[]): Promise<bigint[]>;
	find(id: bigint): Promise<Batch | undefined>;
	/** The batch of an identifier that is known to exist. */
	get(id: bigint): Promise<Batch>;
	/** What a batch was started with; undefined for those of earlier versions. */
	startOf(id: bigint): Promise<Start | undefined>;
	/**
	 * One page of a task's batches; `order` is the specification's `orderBy` (section 4.3). Up to the one with
	 * which they have more than so many bytes of fields, as JSON, or `FieldsOfPage` is full (unless said: all).
	 */
	list(
		taskID: string,
		order: number,
		window: { offset: number; size: number },
		maxBytes?: number,
	): Promise<Batch[]>;
	count(taskID: string): Promise<number>;
	/** The batch of a task that the request of this id has started. */
	startedBy(taskID: string, requestID: string): Promise<Batch | undefined>;
	/** The tasks that have batches, those with the newest ones first. */
	taskIDs(): Promise<string[]>;
	/** Milliseconds of the epoch by the clock of the database, which the times of batches are of. */
	now(): Promise<number>;
	/**
	 * The batch that a stop of its task means which came when that clock said `latest`: of those that were there by then
	 * the running one, else a waiting one, the newest of several. One that is still to come, by a clock that was set
	 * back, was there, too.
	 */
	toStop(taskID: string, latest: number): Promise<Batch | undefined>;
	/** Batches that wait or run, oldest first. */
	unfinished(): Promise<UnfinishedBatch[]>;
	/** The one of an identifier, with its task's JSON, if it waits or runs. */
	withTask(id: bigint): Promise<{ batch: Batch; task: string } | undefined>;
	/** A batch gets its first agent, and runs, if it was waiting; false where it has ended meanwhile. */
	markRunning(id: bigint): Promise<boolean>;
	/** One more page of a batch came through a proxy. */
	countProxied(id: bigint): Promise<void>;
	/**
	 * Ends a waiting or running batch, one that cannot go on with the reason. One that has ended stays as it is,
	 * and undefined says so, also of one that is not there any more: of several who end a batch, one has.
	 */
	end(id: bigint, how: EndStatus, reason?: string): Promise<Batch | undefined>;
}

/** Reads a row of the table `starts`. */
export function startFrom(columns: Columns): Start {
	return {
		jobCount: numberIn(columns, 'job_count'),
		actionParams: textIn(columns, 'action_params'),
	};
}
