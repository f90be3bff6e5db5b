import type { ApiKeys } from '../keys/apiKeys.ts';
import type { Dispatcher } from '../agents/dispatcher.ts';
import type { BatchStore } from '../store/batchStore.ts';
import type { DatabaseFile } from '../store/databaseFile.ts';
import type { DeduplicationStore } from '../store/deduplicationStore.ts';
import type { RowStore } from '../store/rowStore.ts';
import type { TaskFiles } from '../tasks/taskFiles.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import { ApiError, errorCode } from './errors.ts';

/** What the endpoints work with. */
export interface CloudParts {
	apiKeys: ApiKeys;
	tasks: TaskFiles;
	batches: BatchStore;
	rows: RowStore;
	/** The file of the database that batches and rows are in. */
	file: DatabaseFile;
	deduplication: DeduplicationStore;
	dispatcher: Dispatcher;
}

/** The error for a task that does not exist, or whose file is bad. */
export function noTask({ tasks }: CloudParts, taskID: string): ApiError {
	const bad = tasks.findBad(taskID);
	if (bad) {
		const mistake = withoutPasswords(bad.message);
		return new ApiError(errorCode.badRequest, `The task file ${bad.file} is bad: ${mistake}.`, 409);
	}
	return new ApiError(errorCode.notFound, `There is no task "${taskID.slice(0, 100)}".`);
}
