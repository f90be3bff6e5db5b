import { ServiceError } from '../errors/serviceError.ts';
import type { Batch } from '../store/batch.ts';
import { findTask } from './find.ts';
import type { Runs } from './scraping.ts';

/**
 * Stops the running batch of a task, else a waiting one, the newest of several. Throws a ServiceError
 * where there is none.
 */
export function stopRunOf(parts: Runs, taskID: string): Batch {
	const batch = parts.batches.toStop(taskID);
	if (batch) return parts.dispatcher.stop(batch.id);
	if (parts.batches.count(taskID) === 0) findTask(parts, taskID);
	throw new ServiceError(
		'conflict',
		`Task "${taskID.slice(0, 100)}" has no waiting or running batch to stop.`,
	);
}
