import type { BatchStore } from './batchStore.ts';
import type { DatabaseFile } from './databaseFile.ts';
import type { FailureStore } from './failureStore.ts';
import type { JobStore } from './jobStore.ts';
import type { RowStore } from './rowStore.ts';
import type { SelectorStore } from './selectorStore.ts';

/** The stores of a database that runs fill. */
export interface Stores {
	batches: BatchStore;
	jobs: JobStore;
	rows: RowStore;
	failures: FailureStore;
	selectors: SelectorStore;
	/** The file of that database. */
	file: DatabaseFile;
}
