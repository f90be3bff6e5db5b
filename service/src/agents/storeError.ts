import { reasonOf } from '../errors/thrown.ts';
import { PassedOn } from '../store/claim.ts';
import type { Database } from '../store/stores.ts';

/** The store failed: whatever agents scrape from here on would be lost. */
export class StoreError extends Error {}

/** The job is another agent's by now or is to be, or its batch is over: nothing more is to be done for it here. */
export class JobLost extends StoreError {}

/**
 * What a write resolves to, which is made again where the database was away. Throws a StoreError for people where
 * it fails, a JobLost where it is refused, or goes into a file that is gone, and the reason of `signal` when that is aborted meanwhile.
 */
export async function written<Result>(
	database: Database,
	work: () => Promise<Result>,
	signal: AbortSignal,
): Promise<Result> {
	for (;;) {
		signal.throwIfAborted();
		const lost = database.whyLost();
		if (lost !== undefined) throw new StoreError(lost);
		try {
			return await work();
		} catch (error) {
			if (error instanceof PassedOn) throw new JobLost(error.message, { cause: error });
			if (await database.isBack(error, signal)) continue;
			throw new StoreError(
				`The database cannot be written: ${reasonOf(error)}. ${database.care}, then start the task again.`,
				{ cause: error },
			);
		}
	}
}
