import { hasEnded } from './batchStatus';
import { readBatches } from './batches';
import type { Connection } from './connection';
import { refusesStop, saysNotFound } from './errors';

/** The whole list is read, so in few requests. */
const batchesPerPage = 500;

/**
 * Whether a stop was refused because no batch of the task waits or runs. With which code a service says
 * so is left open (section 4.2): the list of batches decides, and where it cannot, the refusal stands. A
 * task that is not found and has no batches may be a mistyped one.
 */
export async function nothingRuns(
	connection: Connection,
	taskID: string,
	refusal: Error,
): Promise<boolean> {
	if (!refusesStop(refusal)) return false;
	let isKnown = !saysNotFound(refusal);
	try {
		for await (const batch of readBatches(connection, taskID, { pageSize: batchesPerPage })) {
			if (!hasEnded(batch)) return false;
			isKnown = true;
		}
	} catch {
		return false;
	}
	return isKnown;
}
