import type { Connection } from './connection';
import { incompleteList, readBatchPages } from './paging/batches';
import type { Listing } from './paging/batches';
import { wantedStops } from './startAndStop/wantedStops';
import type { Batch } from './wire';

/**
 * The batches of a task, one after the other (`GET /cloud/batches`, section 4.3). Whoever comes to the
 * end has not found what it looked for: it throws there when the service counts more than it listed.
 */
export async function* readBatches(
	connection: Connection,
	taskID: string,
	listing: Listing = {},
): AsyncGenerator<Batch> {
	let progress = { came: 0, counted: 0 };
	for await (const { batches, came, counted } of readBatchPages(connection, taskID, listing)) {
		progress = { came, counted };
		wantedStops(connection, taskID).noteList(batches);
		yield* batches;
	}
	if (progress.came < progress.counted) throw incompleteList(taskID, progress);
}

/**
 * The batch with this identifier, searched newest first; undefined when it is not found there. Throws
 * when it may be one that the service counts, but did not list.
 */
export async function findBatch(
	connection: Connection,
	taskID: string,
	batchID: string,
	listing: Listing = {},
): Promise<Batch | undefined> {
	for await (const batch of readBatches(connection, taskID, listing)) {
		if (String(batch.batchID) === batchID) return batch;
	}
	return undefined;
}
