import { NodeApiError } from 'n8n-workflow';

import type { Batch } from '../api/wire';
import { ExecutionMemory } from '../retryOnFail';
import type { Run } from '../run';
import { invalid } from '../settings/parameters';

/** What came of a start: its batch, or why nobody knows. */
const starts = new ExecutionMemory<{ batch: Batch } | { doubt: string }>();

/**
 * Starts a run at most once for an item of an execution. n8n runs the whole node again for "Retry On
 * Fail", and every run costs money. So what came of the start is kept in the execution, and a retry
 * goes on with the same batch.
 */
export async function startOnce(run: Run, start: () => Promise<Batch>): Promise<Batch> {
	const earlier = starts.get(run);
	if (earlier && 'batch' in earlier) return earlier.batch;
	if (earlier) {
		throw invalid(
			run,
			'The task is not started again in this execution, because it may have been started before',
			earlier.doubt,
		);
	}
	try {
		const batch = await start();
		starts.set(run, { batch });
		return batch;
	} catch (error) {
		const failure = error instanceof NodeApiError ? error : invalid(run, String(error));
		if (failure.context.mayHaveArrived === true) {
			starts.set(run, { doubt: failure.description ?? '' });
		}
		throw failure;
	}
}

/** The batch of the run that was started for this item, in this or an earlier try. */
export function startedBatch(run: Run): Batch | undefined {
	const start = starts.get(run);
	return start && 'batch' in start ? start.batch : undefined;
}
