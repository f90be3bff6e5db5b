import type { Dispatcher } from '../agents/dispatcher.ts';
import type { BatchStore } from '../store/batchStore.ts';
import type { DeduplicationStore } from '../store/deduplicationStore.ts';
import type { RowStore } from '../store/rowStore.ts';
import { taskKey } from '../tasks/loadTasks.ts';
import type { Task } from '../tasks/task.ts';
import { ApiError, errorCode } from './errors.ts';

/** What the endpoints work with. */
export interface CloudParts {
	apiKeys: string[];
	tasks: Map<string, Task>;
	batches: BatchStore;
	rows: RowStore;
	deduplication: DeduplicationStore;
	dispatcher: Dispatcher;
	/** Whether tasks with a browser page can run. */
	hasBrowser: boolean;
}

/** The error for a task that does not exist. */
export function unknownTask(taskID: string): ApiError {
	return new ApiError(errorCode.notFound, `There is no task "${taskID.slice(0, 100)}".`);
}

/** The id under which a task's batches are stored: that of its file, or the one asked for. */
export function storedTaskID({ tasks }: CloudParts, taskID: string): string {
	return tasks.get(taskKey(taskID))?.taskID ?? taskID;
}
