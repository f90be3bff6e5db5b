import { NodeApiError } from 'n8n-workflow';

import type { Batch } from '../api/types';
import { executionMemory } from './executionMemory';
import type { Run } from './operation';
import { invalid } from './parameters';

/**
 * Starts a run at most once for an item of an execution. n8n runs the whole node again for "Retry On
 * Fail" (also when a later item fails, or the first row has a column "error"), and every run costs
 * money. So what came of the start is kept in the execution, and a retry goes on with the same batch.
 */
export async function startOnce(run: Run, start: () => Promise<Batch>): Promise<Batch> {
	const memory = executionMemory<{ batch: Batch } | { doubt: string }>(run, 'start');
	const earlier = memory.get();
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
		memory.set({ batch });
		return batch;
	} catch (error) {
		const failure = error instanceof NodeApiError ? error : invalid(run, String(error));
		if (failure.context.mayHaveArrived === true) memory.set({ doubt: failure.description ?? '' });
		throw failure;
	}
}
