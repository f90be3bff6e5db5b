import { cancelledBy } from '../cancel';
import type { Connection } from '../connection';
import { readBatchPages } from '../paging/batches';

/** One page, which holds the whole list of most tasks: the start waits for it. */
const batchesPerPage = 250;

/** A service that does not list its batches within this time is started all the same. */
const timeoutMs = 10_000;

/** What the service listed of a task just before a start. */
export interface ListedBefore {
	/** None of them is the batch that the start begins. */
	batchIDs: ReadonlySet<string>;
	/** How many it counted. */
	total: number;
}

/** Lists the newest batches of a task, once; undefined where that fails: the start then tells the user why. */
export async function listBeforeStart(
	connection: Connection,
	taskID: string,
): Promise<ListedBefore | undefined> {
	const listing = { pageSize: batchesPerPage, maxPages: 1, repeatable: 'never' } as const;
	const inTime = cancelledBy(connection, AbortSignal.timeout(timeoutMs));
	const first = await readBatchPages(inTime, taskID, listing)
		.next()
		.catch(() => undefined);
	if (!first || first.done) return undefined;
	const { batches, total } = first.value;
	return { batchIDs: new Set(batches.map(({ batchID }) => String(batchID))), total };
}
