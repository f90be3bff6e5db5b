import { NodeApiError } from 'n8n-workflow';

import { lostRows } from '../api/fetchRows';
import { ExecutionMemory } from '../retryOnFail';
import type { Run } from '../run';
import { invalid } from '../settings/parameters';
import type { ReadReport } from '../output/readRows';
import type { RowSettings } from '../settings/rowSettings';

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
		if (mayHaveLostRows(error, report)) {
			failedReads.set(run, true);
			if (error instanceof NodeApiError && !error.description?.includes(lost)) {
				error.description = [error.description, lost].join('\n');
			}
		}
		return await Promise.reject(error);
	});
}

/**
 * Whether the service may have sent rows to a read that failed. Only of a request is it known that
 * it surely did not arrive, or was refused: what goes wrong otherwise does so with an answer.
 */
export function mayHaveLostRows(error: Error, { pages }: ReadReport): boolean {
	const sentNothing = error instanceof NodeApiError && error.context.mayHaveArrived !== true;
	return pages > 0 || !sentNothing;
}
