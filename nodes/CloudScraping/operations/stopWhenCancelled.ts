import { NodeApiError, sleep } from 'n8n-workflow';

import { throwIfCancelled, withSignal } from '../api/connection';
import { stopTask } from '../api/tasks';
import type { Batch } from '../api/types';
import type { Run } from './operation';

/** How long a cancelled execution waits for the answer to its stop; the stop itself goes on. */
const PATIENCE_MS = 500;

/**
 * Runs `work`, and stops the task when the user cancels the execution meanwhile. `track` is for the
 * start: a start under way cannot be taken back, so a task whose start is answered only after the
 * cancel is stopped then, and so is one that may have been started although no answer has come.
 */
export async function stopWhenCancelled<T>(
	run: Run,
	taskID: string,
	enabled: boolean,
	work: (track: (start: Promise<Batch>) => Promise<Batch>) => Promise<T>,
): Promise<T> {
	const { cancelSignal } = run.connection;
	let started: Promise<unknown> = Promise.resolve();
	const track = async (start: Promise<Batch>) => {
		started = start;
		return await untilCancelled(start, cancelSignal);
	};
	try {
		return await work(track);
	} finally {
		if (enabled && cancelSignal?.aborted) {
			const stopped = started
				.catch(orDoubt)
				.then(async () => await stopTask(withSignal(run.connection, undefined), taskID));
			await Promise.race([stopped.catch(() => {}), sleep(PATIENCE_MS)]);
		}
		throwIfCancelled(run.connection);
	}
}

/** Throws when the start surely has not happened. */
function orDoubt(error: Error): void {
	if (!(error instanceof NodeApiError) || error.context.mayHaveArrived !== true) throw error;
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
