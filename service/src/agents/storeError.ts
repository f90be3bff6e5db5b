import { reasonOf } from '../errors/thrown.ts';
import type { Database } from '../store/stores.ts';

/** The store failed: whatever agents scrape from here on would be lost. */
export class StoreError extends Error {}

/** What a write resolves to; throws a StoreError for people where it fails, or goes into a file that is gone. */
export async function written<Result>(
	database: Database,
	work: () => Promise<Result>,
): Promise<Result> {
	const lost = database.whyLost();
	if (lost !== undefined) throw new StoreError(lost);
	try {
		return await work();
	} catch (error) {
		throw new StoreError(
			`The database cannot be written: ${reasonOf(error)}. ${database.care}, then start the task again.`,
			{ cause: error },
		);
	}
}
