import type { INodeExecutionData } from 'n8n-workflow';

import { describeMore } from './api/errors';
import type { Batch } from './api/wire';
import { ExecutionMemory } from './executionMemory';
import type { Notes } from './hints';
import { operationError } from './run';
import type { Redo, Run, WaitOutcome } from './run';

/** What an item has become in an earlier try of "Retry On Fail". */
interface Result {
	items: INodeExecutionData[];
	/** What is to be said of it. */
	notes: Notes;
	/** What was undone when that try failed. */
	redos: Redo[];
}

const results = new ExecutionMemory<Result>();

/**
 * Executes the operation, unless an earlier try of the node has done so for this item. n8n tries the
 * whole node again when a later item fails, and also when the first row has a column "error": rows
 * that were remembered as returned would not come again, and a batch would be started twice.
 */
export async function executeOnce(
	run: Run,
	execute: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const earlier = results.get(run);
	if (earlier) {
		Object.assign(run.notes, earlier.notes);
		for (const redo of earlier.redos.splice(0)) await redo(run);
		return earlier.items;
	}
	const items = await execute();
	if (run.context.getNode().retryOnFail) results.set(run, { items, notes: run.notes, redos: [] });
	return items;
}

/** What is undone is done again when a later try keeps what the item has become. */
export function redoLater(run: Run, redo: Redo): void {
	results.get(run)?.redos.push(redo);
}

/** What came of waiting for a batch, and what is to be said of it. */
const waits = new ExecutionMemory<{ waited: WaitOutcome; hints: Notes['hints'] }>();

/**
 * Waits for a batch once for an item of an execution: a batch that the node itself has stopped looks to a
 * later try like one that someone else has stopped.
 */
export async function waitOnce(run: Run, wait: () => Promise<WaitOutcome>): Promise<WaitOutcome> {
	const earlier = waits.get(run);
	if (earlier) {
		run.notes.hints.push(...earlier.hints);
		return earlier.waited;
	}
	const before = run.notes.hints.length;
	const waited = await wait();
	waits.set(run, { waited, hints: run.notes.hints.slice(before) });
	return waited;
}

/** A batch that was to be stopped, and could not be, or not without stopping another one. */
export interface Unstopped {
	batchID: Batch['batchID'];
	why?: string;
	/** The IDs of batches that were stopped instead. */
	hit: string[];
	/** When it was to be stopped, after "could not be stopped". */
	when: (batch: Batch) => string;
}

/** By batch, and the last one of each task. */
const unstopped = new ExecutionMemory<Unstopped>();

/** Remembers that a batch of the task could not be stopped as it should. */
export function rememberUnstopped(run: Run, taskID: string, one: Unstopped): void {
	for (const key of [taskID, String(one.batchID)]) unstopped.set({ ...run, key }, one);
}

/** What is remembered of a batch, or of any one of a task, whatever has become of it since. */
export function unstoppedBatch(run: Run, key: string): Unstopped | undefined {
	return unstopped.get({ ...run, key });
}

/** Reads that have failed when the service had sent rows. */
const failedReads = new ExecutionMemory<true>();

/**
 * Reads with the service's own deduplication at most once for an item of an execution. The service
 * does not send rows again, so a second try, as "Retry On Fail" makes it, would get the rest only and
 * look like success. `lost` says what the user must know then.
 */
export async function readOnce<T>(
	run: Run,
	lost: string,
	mayHaveLostRows: (error: Error) => boolean,
	read: () => Promise<T>,
): Promise<T> {
	if (failedReads.get(run)) {
		throw operationError(
			run,
			'The rows are not read again in this execution: some would be missing',
			lost,
		);
	}
	return await read().catch(async (error: Error) => {
		if (mayHaveLostRows(error)) {
			failedReads.set(run, true);
			describeMore(error, lost);
		}
		return await Promise.reject(error);
	});
}
