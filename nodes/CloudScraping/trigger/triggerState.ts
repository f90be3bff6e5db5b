import { timeOf } from '../api/times';
import type { Batch } from '../api/wire';
import type { Ends } from './reusedIds';

/** What the trigger remembers between two polls. Kept small: n8n stores it with the workflow. */
export interface TriggerState {
	/** Whose batches these are; another task, or another service, begins anew. */
	source: string;
	/** The newest batches that were ever seen, newest first: an answer may lack some that the next has. */
	known: string[];
	/** When those of them ended that have, and after how long: another batch may get their ID. */
	ends: Ends;
	/** A batch that is not known, stands behind known ones, and was not created later, is an old one. */
	floor: number;
	/** Batches that are still to fire: they had not ended yet, or no time was left for them. */
	pending: string[];
	/**
	 * For how many polls in a row a pending batch was not listed, or had an end time but no known status;
	 * those of zero are left out.
	 */
	stalled: Record<string, number>;
	/**
	 * For how many polls in a row the service has counted more batches than it listed. Those that it has
	 * left out may be new, so the next poll reads past the batches that are known.
	 */
	incomplete: number;
	/**
	 * How many a page lacked without hiding new ones: batches that are deleted and counted on, or
	 * smaller pages.
	 */
	gap: number;
	/** Of the batches that the service counts, those that have been looked at: more of them are new. */
	counted: number;
	/** For how many polls no more pages are read for those that it counts: it was in vain. */
	pause: number;
}

/**
 * Polls for which a stalled batch stays pending, or for which batches that are not listed are looked
 * for: half an hour where n8n polls every minute. Each of them may have to read all pages, and the
 * service may have deleted them, or may never change.
 */
export const maxStalled = 30;

/** Below the creation time of any batch: nothing is old. */
export const noFloor = -1;

/** What the state says of a batch; `isReused` of one whose ID has been another's. */
export function recall(before: TriggerState | undefined, isReused: (batch: Batch) => boolean) {
	const known = new Set(before?.known);
	const pending = new Set(before?.pending);
	const hasFired = (id: string) => before !== undefined && Object.hasOwn(before.ends, id);
	return {
		known,
		pending,
		isKnown: (batch: Batch) => known.has(idOf(batch)) && !isReused(batch),
		// An answer of a replica that lags may show the batch that has fired under this ID.
		isPending: (batch: Batch) =>
			pending.has(idOf(batch)) && (!hasFired(idOf(batch)) || isReused(batch)),
	};
}

export function idOf({ batchID }: Batch): string {
	return String(batchID);
}

/** In milliseconds; 0 where the service does not say so. */
export function createdAt({ createTime }: Batch): number {
	const time = timeOf(createTime);
	return Number.isFinite(time) ? time : 0;
}
