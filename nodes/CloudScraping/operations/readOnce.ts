import { NodeApiError } from 'n8n-workflow';

import { lostRows } from '../api/fetchRows';
import { ExecutionMemory } from './executionMemory';
import type { Run } from './operation';
import { invalid } from './parameters';
import type { ReadReport } from './readRows';
import type { RowSettings } from './rowSettings';

/** Reads that have failed when the service had sent rows. */
const failedReads = new ExecutionMemory<true>();

/**
 * Reads with the service's own deduplication at most once for an item of an execution. The service
 * does not send rows again, so a second try, as "Retry On Fail" makes it, would get the rest only and
 * look like success.
 */
export async function readOnce<T>(
	run: Run,
	{ deduplication, deduplicationId }: RowSettings,
	report: ReadReport,
	read: () => Promise<T>,
): Promise<T> {
	if (deduplication !== 'service') return await read();
	const lost = lostRows(deduplicationId);
	if (failedReads.get(run)) {
		throw invalid(
			run,
			'The rows are not read again in this execution: some would be missing',
			lost,
		);
	}
	return await read().catch(async (error: Error) => {
		const failure = error instanceof NodeApiError ? error : undefined;
		if (report.pages > 0 || failure?.context.mayHaveArrived === true) {
			failedReads.set(run, true);
			if (failure && !failure.description?.includes(lost)) {
				failure.description = [failure.description, lost].join('\n');
			}
		}
		return await Promise.reject(error);
	});
}
