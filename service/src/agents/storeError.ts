import { reasonOf } from '../errors/thrown.ts';
import type { DatabaseFile } from '../store/databaseFile.ts';

/** The store failed: whatever agents scrape from here on would be lost. */
export class StoreError extends Error {}

/** What a write returns; throws a StoreError for people where it fails, or goes into a file that is gone. */
export function written<Result>(file: DatabaseFile, work: () => Result): Result {
	const lost = file.whyLost();
	if (lost !== undefined) throw new StoreError(lost);
	try {
		return work();
	} catch (error) {
		throw new StoreError(
			`The database cannot be written: ${reasonOf(error)}. See to its disk, then start the task again.`,
			{ cause: error },
		);
	}
}
