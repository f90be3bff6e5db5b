import type { Batch } from '../../store/batch.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { batchPath, taskPath } from '../paths.ts';
import { shortened } from '../words.ts';

/** The name of a batch's task, or its ID where the file is gone. */
export function taskNameOf({ tasks }: Pick<ConsoleParts, 'tasks'>, { taskID }: Batch): string {
	return shortened(tasks.find(taskID)?.name ?? taskID);
}

/** The pages above that of a batch. */
export function aboveBatch({ taskID }: Batch): { name: string; path: string }[] {
	return [
		{ name: 'Tasks', path: '/console/' },
		{ name: 'Task and its batches', path: taskPath(taskID) },
	];
}

/** The pages above what belongs to a batch. */
export function aboveBatchPart(batch: Batch): { name: string; path: string }[] {
	return [...aboveBatch(batch), { name: `Batch ${batch.id}`, path: batchPath(batch) }];
}
