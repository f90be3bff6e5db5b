import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { descriptionOf } from './api/errors';
import { listBeforeStart } from './api/startAndStop/listBeforeStart';
import { unansweredStops } from './api/startAndStop/unanswered';
import { wantedStops } from './api/startAndStop/wantedStops';
import type { Batch } from './api/wire';
import { ExecutionMemory } from './executionMemory';
import type { Whose } from './executionMemory';
import { operationError } from './run';
import type { Run } from './run';

/** What came of a request that must not be sent again: the batch of its answer, or why nobody knows. */
type Sent<T> = { taskID: string; batch: T } | { doubt: Doubt };

/** What the first error has said: for an agent, n8n's own is changed afterwards. */
interface Doubt {
	said: string;
	context: IDataObject;
}

const starts = new ExecutionMemory<Sent<Batch>>();
const stops = new ExecutionMemory<Sent<Batch | undefined>>();

/** The batches that came of starts, by ID. */
const startedBatches = new ExecutionMemory<true>();

/**
 * Starts a task at most once for an item of an execution. n8n runs the whole node again for "Retry On
 * Fail", and every batch costs money. So what came of the start is kept in the execution, and a retry
 * goes on with the same batch. Before a batch that `mayBeStopped` the batches of the task are listed: the
 * service may answer the start with a batch of somebody else.
 */
export async function startOnce(
	run: Run,
	taskID: string,
	mayBeStopped: boolean,
	start: () => Promise<Batch>,
): Promise<Batch> {
	return await sendOnce(run, taskID, starts, 'started', async () => {
		await unansweredStops.wait(run.connection, taskID);
		const before = mayBeStopped ? await listBeforeStart(run.connection, taskID) : undefined;
		const batch = await start();
		const key = String(batch.batchID);
		if (startedBatches.get({ ...run, key })) throw startedBefore(run, batch);
		startedBatches.set({ ...run, key }, true);
		const ofTask = wantedStops(run.connection, taskID);
		if (mayBeStopped) ofTask.beginOwn(batch, before);
		else ofTask.begin(batch);
		return batch;
	});
}

/** Whether there is a new batch as well, nobody knows; the rows of that batch come out once. */
function startedBefore({ context, itemIndex }: Run, { batchID }: Batch): NodeApiError {
	const error = new NodeApiError(
		context.getNode(),
		{},
		{
			message: `The service answered the start with batch ${batchID}, which is not new`,
			description: `This execution already got it from an earlier start. The task may have been started anyway. Check List Batches before you start it again; Get Data reads batch ${batchID} by its ID.`,
			itemIndex,
		},
	);
	error.context.mayHaveArrived = true;
	return error;
}

/** The same for a stop: a second one would hit the batch that began meanwhile. */
export async function stopOnce(
	run: Run,
	taskID: string,
	stop: () => Promise<Batch | undefined>,
): Promise<Batch | undefined> {
	return await sendOnce(run, taskID, stops, 'stopped', stop);
}

async function sendOnce<T>(
	run: Run,
	taskID: string,
	memory: ExecutionMemory<Sent<T>>,
	done: 'started' | 'stopped',
	send: () => Promise<T>,
): Promise<T> {
	const earlier = memory.get(run);
	if (earlier && 'batch' in earlier) return earlier.batch;
	if (earlier) {
		const { said, context } = earlier.doubt;
		const refused = operationError(
			run,
			`The task is not ${done} again in this execution, because it may already have been ${done}`,
			said,
		);
		const { code, requestId } = context;
		Object.assign(refused.context, { code, requestId });
		throw refused;
	}
	const batch = await send().catch(async (error: Error) => {
		if (error instanceof NodeApiError && error.context.mayHaveArrived === true) {
			const said = [error.message, descriptionOf(error)].join('\n');
			memory.set(run, { doubt: { said, context: error.context } });
		}
		return await Promise.reject(error);
	});
	memory.set(run, { taskID, batch });
	return batch;
}

/**
 * Names the batches that were started for the items of this run of the node, for when their rows do not come
 * out, but for those that `said` names: they were paid for. Empty when there are none.
 */
export function paidFor(run: Whose, said = ''): string {
	const named = new Set([...said.matchAll(/\bbatch (\d+)/gi)].map(([, batchID]) => batchID));
	const ofTasks = new Map<string, string[]>();
	for (const sent of starts.all(run)) {
		if ('doubt' in sent || named.has(String(sent.batch.batchID))) continue;
		const batches = ofTasks.get(sent.taskID) ?? [];
		ofTasks.set(sent.taskID, [...batches, String(sent.batch.batchID)]);
	}
	const tasks = [...ofTasks].map(([taskID, batches]) => `${batches.join(', ')} of task ${taskID}`);
	if (tasks.length === 0) return '';
	return `Started, but not in the output: batch ${tasks.join('; batch ')}. Get Data reads them by ID: do not start them again.`;
}

/** The batch that was started for this item, in this or an earlier try. */
export function startedBatch(run: Run): Batch | undefined {
	const start = starts.get(run);
	return start && 'batch' in start ? start.batch : undefined;
}
