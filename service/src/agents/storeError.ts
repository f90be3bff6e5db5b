import { reasonOf } from '../reasonOf.ts';

/** The store failed: whatever agents scrape from here on would be lost. */
export class StoreError extends Error {}

/** What a write returns; throws a StoreError for people where it fails. */
export function written<Result>(work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		throw new StoreError(
			`The database cannot be written: ${reasonOf(error)}. See to its disk, then start the task again.`,
			{ cause: error },
		);
	}
}
