import type { INodeExecutionData } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { describeMore } from './api/errors';
import type { Batch } from './api/wire';
import type { Notes } from './hints';
import type { Run, Waited } from './run';
import { invalid } from './settings/fieldValues';

/** What belongs to one item, and to the tries of one run of its node. */
interface Place {
	/** An object that n8n hands to each of these tries, and that ends with the execution. */
	owner: object;
	/** Of all items of this run of the node. */
	ofRun: string;
	key: string;
}

/** Whose place it is. */
type Whose = Pick<Run, 'context' | 'itemIndex'>;

/**
 * Remembers something for an item within an execution. "Retry On Fail" of n8n runs the whole node
 * again: a later try finds here what an earlier one has left. Forgotten with the execution.
 */
class ExecutionMemory<T> {
	readonly #executions = new WeakMap<object, Map<string, T>>();

	/** `key`: other than that of the item. */
	get(run: Whose, key = placeOf(run).key): T | undefined {
		return this.#executions.get(placeOf(run).owner)?.get(key);
	}

	set(run: Whose, value: T, key = placeOf(run).key): void {
		const { owner } = placeOf(run);
		const entries = this.#executions.get(owner) ?? new Map<string, T>();
		this.#executions.set(owner, entries.set(key, value));
	}

	delete(run: Whose): void {
		const { owner, key } = placeOf(run);
		this.#executions.get(owner)?.delete(key);
	}

	/** What is remembered for the items of this run of the node. */
	all(run: Whose): T[] {
		const { owner, ofRun } = placeOf(run);
		const entries = [...(this.#executions.get(owner) ?? [])];
		return entries.flatMap(([key, value]) => (key.startsWith(ofRun) ? [value] : []));
	}
}

function placeOf({ context, itemIndex }: Whose): Place {
	// Only n8n's contexts for the tools of an agent have it. There each try has a run index of its own,
	// and calls of different items may have the same one; the arguments of a call stay the same object.
	if ('getNextRunIndex' in context) {
		return { owner: context.getInputData()[itemIndex].json, ofRun: '', key: String(itemIndex) };
	}
	const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
	const ofRun = `${$runIndex}/`;
	return { owner: context.getContext('node'), ofRun, key: `${ofRun}${itemIndex}` };
}

/** What items have become in an earlier try of "Retry On Fail", and what is to be said of it. */
const results = new ExecutionMemory<{ items: INodeExecutionData[]; notes: Notes }>();

/**
 * Executes the operation, unless an earlier try of the node has done so for this item. n8n tries the
 * whole node again when a later item fails, and also when the first row has a column "error": rows
 * that were remembered as returned would not come again, and a run would be started twice.
 */
export async function executeOnce(
	run: Run,
	execute: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const earlier = results.get(run);
	if (earlier) {
		Object.assign(run.notes, earlier.notes);
		return earlier.items;
	}
	const items = await execute();
	if (run.context.getNode().retryOnFail) results.set(run, { items, notes: run.notes });
	return items;
}

/** What is undone must be done again. */
export function forgetResult(run: Run): void {
	results.delete(run);
}

/** What came of a request that must not be sent again: the batch of its answer, or why nobody knows. */
type Sent = { taskID: string; batch: Batch } | { doubt: NodeApiError };

const starts = new ExecutionMemory<Sent>();
const stops = new ExecutionMemory<Sent>();

/**
 * Starts a run at most once for an item of an execution. n8n runs the whole node again for "Retry On
 * Fail", and every run costs money. So what came of the start is kept in the execution, and a retry
 * goes on with the same batch.
 */
export async function startOnce(
	run: Run,
	taskID: string,
	start: () => Promise<Batch>,
): Promise<Batch> {
	return await sendOnce(run, taskID, starts, 'started', start);
}

/** The same for a stop: a second one would hit the run that began meanwhile. */
export async function stopOnce(
	run: Run,
	taskID: string,
	stop: () => Promise<Batch>,
): Promise<Batch> {
	return await sendOnce(run, taskID, stops, 'stopped', stop);
}

async function sendOnce(
	run: Run,
	taskID: string,
	memory: ExecutionMemory<Sent>,
	done: 'started' | 'stopped',
	send: () => Promise<Batch>,
): Promise<Batch> {
	const earlier = memory.get(run);
	if (earlier && 'batch' in earlier) return earlier.batch;
	if (earlier) {
		const { description, context } = earlier.doubt;
		const refused = invalid(
			run,
			`The task is not ${done} again in this execution, because it may have been ${done} before`,
			description ?? undefined,
		);
		const { code, requestId } = context;
		Object.assign(refused.context, { code, requestId });
		throw refused;
	}
	const batch = await send().catch(async (error: Error) => {
		if (error instanceof NodeApiError && error.context.mayHaveArrived === true) {
			memory.set(run, { doubt: error });
		}
		return await Promise.reject(error);
	});
	memory.set(run, { taskID, batch });
	return batch;
}

/**
 * Names the runs that were started for the items of this run of the node, for when their rows do not come
 * out, but for those that `said` names: they were paid for. Empty when there are none.
 */
export function paidFor(run: Whose, said = ''): string {
	const named = new Set(said.match(/\d+/g));
	const ofTasks = new Map<string, string[]>();
	for (const sent of starts.all(run)) {
		if ('doubt' in sent || named.has(String(sent.batch.batchID))) continue;
		const batches = ofTasks.get(sent.taskID) ?? [];
		ofTasks.set(sent.taskID, [...batches, String(sent.batch.batchID)]);
	}
	const tasks = [...ofTasks].map(([taskID, batches]) => `${batches.join(', ')} of task ${taskID}`);
	if (tasks.length === 0) return '';
	return `Started before, and not in the output: batch ${tasks.join('; batch ')}. Get Data reads them by their IDs: do not start them again.`;
}

/** What came of waiting for a run, and what is to be said of it. */
const waits = new ExecutionMemory<{ waited: Waited; hints: Notes['hints'] }>();

/**
 * Waits for a run once for an item of an execution: a run that the node itself has stopped looks to a
 * later try like one that someone else has stopped.
 */
export async function waitOnce(run: Run, wait: () => Promise<Waited>): Promise<Waited> {
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

/** Runs that were to be stopped and go on, by task. */
const leftRunning = new ExecutionMemory<Batch>();

/** Remembers that a run which was to be stopped goes on. */
export function rememberLeftRunning(run: Run, taskID: string, batch: Batch): void {
	leftRunning.set(run, batch, taskID);
}

/** A run of the task that was to be stopped, and went on when it was last seen. */
export function leftRunningBatch(run: Run, taskID: string): Batch | undefined {
	return leftRunning.get(run, taskID);
}

/** The batch of the run that was started for this item, in this or an earlier try. */
export function startedBatch(run: Run): Batch | undefined {
	const start = starts.get(run);
	return start && 'batch' in start ? start.batch : undefined;
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
		throw invalid(
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
