import type { Claim } from './claim.ts';
import { numberIn, textIn, type Columns } from './columns.ts';

/** A part of a run: items `first` (included) to `end` (excluded) of the list that was split. */
export interface Job {
	number: number;
	first: number;
	end: number;
	/** What was noted last of what it has sent; absent: nothing was. */
	sent?: string;
}

/** A job that an agent may work on. */
export interface ClaimedJob extends Job {
	claim: Claim;
}

/** How far a batch is; `items`: those of the list that its jobs share, 0 where there is none. */
export interface JobProgress {
	jobs: number;
	jobsDone: number;
	items: number;
	itemsDone: number;
}

/** Where each job of a batch stands. What a claim gives the right to, is rejected with `PassedOn` without. */
export interface JobStore {
	/** The jobs of a batch that are still to be done, in order. */
	unfinished(batchID: bigint): Promise<Job[]>;
	/** How many of a batch's jobs, and of the items of its list, are done. */
	progress(batchID: bigint): Promise<JobProgress>;
	/** Takes over a job that is still to be done, of a batch that has not ended. */
	claim(batchID: bigint, number: number): Promise<Claim>;
	/** The item `next` is the first of its job that is still to be done. */
	advance(claim: Claim, next: number): Promise<void>;
	/** The same, and what the job has sent so far, for whoever takes it over. */
	noteSent(claim: Claim, next: number, sent: string): Promise<void>;
	markDone(claim: Claim): Promise<void>;
}

/** Reads a row of the table `jobs`. */
export function jobFrom(columns: Columns): Job {
	const sent = textIn(columns, 'sent');
	return {
		number: numberIn(columns, 'number'),
		first: numberIn(columns, 'first_item'),
		end: numberIn(columns, 'end_item'),
		...(sent !== '' && { sent }),
	};
}

/** Finds, of some jobs, what `progressFrom` reads. */
export const progressQuery = `SELECT count(*) AS jobs, coalesce(sum(done), 0) AS jobs_done,
	coalesce(max(end_item), 0) AS items,
	coalesce(sum(CASE done WHEN 1 THEN 0 ELSE end_item - first_item END), 0) AS items_left FROM jobs`;

export function progressFrom(columns: Columns | undefined): JobProgress {
	const items = numberIn(columns, 'items');
	return {
		jobs: numberIn(columns, 'jobs'),
		jobsDone: numberIn(columns, 'jobs_done'),
		items,
		itemsDone: items - numberIn(columns, 'items_left'),
	};
}
