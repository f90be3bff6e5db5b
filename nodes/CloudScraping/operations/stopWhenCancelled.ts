import { NodeApiError, sleep } from 'n8n-workflow';

import { throwIfCancelled, withSignal } from '../api/cancel';
import { stopOwnRun } from '../api/stopOwnRun';
import type { Batch } from '../api/wire';
import { logWarning } from '../hints';
import type { Run } from '../run';

/** How long a cancelled execution waits until its run is stopped; the stop itself goes on. */
const patienceMs = 500;

/**
 * Does `work` with a run, and stops the run when the user cancels the execution meanwhile. A start
 * under way cannot be taken back: a run whose start is answered only after the cancel is stopped then.
 */
export async function stopWhenCancelled<T>(
	run: Run,
	taskID: string,
	enabled: boolean,
	start: Promise<Batch>,
	work: (batch: Batch) => Promise<T>,
): Promise<T> {
	const { cancelSignal } = run.connection;
	try {
		return await work(await untilCancelled(start, cancelSignal));
	} finally {
		if (enabled && cancelSignal?.aborted) {
			await Promise.race([stopStarted(run, taskID, start), sleep(patienceMs)]);
		}
		throwIfCancelled(run.connection);
	}
}

/**
 * Stops the run when its start is answered, and says in n8n's log when it could not: a cancelled
 * execution shows nothing else. When no answer comes, nobody knows which batch is ours, if there is
 * one: even the only one of the task that runs may be someone else's, and is left alone.
 */
async function stopStarted(run: Run, taskID: string, start: Promise<Batch>): Promise<void> {
	const warn = (text: string, error?: Error) =>
		logWarning(run.context, `The execution was cancelled. ${text}`, error);
	const batch = await start.catch((error: Error) => {
		if (isInDoubt(error)) {
			warn(
				`Task ${taskID} may have been started, but it is not known as which batch: nothing was stopped. Look at its batches (List Batches).`,
				error,
			);
		}
	});
	if (!batch) return;
	const name = `Batch ${batch.batchID} of task ${taskID}`;
	const result = await stopOwnRun(withSignal(run.connection, undefined), taskID, batch).catch(
		(error: Error) => error,
	);
	if (result instanceof Error) warn(`${name} could not be stopped: ${result.message}`, result);
	else if (result.kind === 'leftAlone') warn(`${name} was not stopped: ${result.why}.`);
}

/** Whether a start that failed may have been carried out all the same. */
function isInDoubt(error: Error): boolean {
	return error instanceof NodeApiError && error.context.mayHaveArrived === true;
}

/** The promise's result, or an early rejection when the execution is cancelled. */
async function untilCancelled<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return await promise;
	return await new Promise<T>((resolve, reject) => {
		const onAbort = () => reject(new Error('The execution was cancelled'));
		if (signal.aborted) onAbort();
		signal.addEventListener('abort', onAbort, { once: true });
		promise
			.then(resolve, reject)
			.finally(() => signal.removeEventListener('abort', onAbort))
			.catch(() => {});
	});
}
