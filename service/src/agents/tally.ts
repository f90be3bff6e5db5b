import type { Batch } from '../store/batch.ts';
import type { Task } from '../tasks/task.ts';

/**
 * Why a page was given up: its site refused for now, or could not be reached; the browser failed; this
 * machine had no thread or file for it; the page itself is not what the task needs; or nobody has foreseen it.
 */
export const failureKinds = [
	'answer',
	'network',
	'browser',
	'machine',
	'page',
	'unforeseen',
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** Counts what agents do. */
export interface Tally {
	/** A page was asked for; `seconds`: until it was there, or had failed. */
	page(kind: Task['page'], result: 'opened' | 'failed', seconds: number): void;
	/** A page was given up. */
	failure(kind: FailureKind): void;
	/** Rows were stored; those of a page that is read again are counted again. */
	rows(count: number): void;
	jobDone(): void;
	/** A batch has ended here. */
	batchEnded(batch: Batch): void;
}
