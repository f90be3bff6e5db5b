import { NodeApiError, sleep } from 'n8n-workflow';

import { throwIfCancelled, withSignal } from '../api/cancel';
import { stopOwnBatch } from '../api/startAndStop/stopOwnBatch';
import type { StopOptions } from '../api/startAndStop/stopOwnBatch';
import type { Batch } from '../api/wire';
import { logWarning } from '../hints';
import type { Run } from '../run';

/** How long a cancelled execution waits until its batch is stopped; the stop itself goes on. */
const patienceMs = 500;

/** A batch, and whether and how it is stopped when the user cancels the execution. */
export interface Stoppable extends StopOptions {
	taskID: string;
	start: Promise<Batch>;
	isStopped: boolean;
}

/**
 * Does `work` with a batch, and stops the batch when the user cancels the execution meanwhile. A start
 * under way cannot be taken back: a batch whose start is answered only after the cancel is stopped then.
 */
export async function stopWhenCancelled<T>(
	run: Run,
	stoppable: Stoppable,
	work: (batch: Batch) => Promise<T>,
): Promise<T> {
	const { cancelSignal } = run.connection;
	try {
		return await work(await untilCancelled(stoppable.start, cancelSignal));
	} finally {
		if (stoppable.isStopped && cancelSignal?.aborted) {
			await Promise.race([stopStarted(run, stoppable), sleep(patienceMs)]);
		}
		throwIfCancelled(run.connection);
	}
}

/**
 * Stops the batch when its start is answered, for as long as n8n lets it, and says in n8n's log what comes
 * of that: a cancelled execution shows nothing else. When no answer comes, nobody knows which batch is
 * ours, if there is one: even the only one of the task that runs may be someone else's, and is left alone.
 */
async function stopStarted(run: Run, { taskID, start, ...options }: Stoppable): Promise<void> {
	const log = (text: string, error?: Error) =>
		logWarning(run.context, `The execution was cancelled. ${text}`, error);
	const batch = await start.catch((error: Error) => {
		if (isInDoubt(error)) {
			log(
				`Task ${taskID} may have been started, but the service did not say which batch: nothing was stopped. Check List Batches.`,
				error,
			);
		}
	});
	if (!batch) return;
	const name = `Batch ${batch.batchID} of task ${taskID}`;
	const result = await stopOwnBatch(withSignal(run.connection, undefined), taskID, batch, {
		...options,
		onDelay: (why) => log(`${name} is not stopped yet: ${why}. Trying again.`),
	}).catch((error: Error) => error);
	if (result instanceof Error)
		return log(`${name} could not be stopped: ${result.message}`, result);
	for (const other of result.strangers) {
		log(`The service stopped batch ${other} of task ${taskID} instead of batch ${batch.batchID}.`);
	}
	if (result.kind === 'goesOn')
		log(`${name} is still running. It was not stopped: ${result.why}.`, result.error);
	else if (result.kind === 'stopped') log(`${name} was stopped.`);
	else {
		const why = result.whyNotBefore;
		log(`${name} has ended by itself${why === undefined ? '' : `; it was not stopped: ${why}`}.`);
	}
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
