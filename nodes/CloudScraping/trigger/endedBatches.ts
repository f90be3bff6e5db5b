import { hasEnded } from '../api/batches';
import type { Batch } from '../api/types';

/** What the trigger remembers between two polls. Kept small: n8n stores it with the workflow. */
export interface TriggerState {
	/** Whose batches these are; another task, or another service, begins anew. */
	source: string;
	/** The newest batches that were seen. */
	known: string[];
	/** A batch that is not known, and was created at this time or before, is an old one. */
	floor: number;
	/** Batches that are still to fire: they had not ended yet, or no time was left for them. */
	pending: string[];
}

export interface PollResult {
	/** Ended batches that have not fired yet, in the order in which they ended. */
	ended: Batch[];
	state: TriggerState;
}

const MOST_KNOWN = 1_000;

/** Below the creation time of any batch: nothing is old. */
const NO_FLOOR = -1;

/**
 * Finds the batches that have ended since the last poll. `pages` come newest first and are read no
 * further than needed: to the first page with a batch that is known or old, and to the last pending
 * one. Without a state this is the baseline, which reads them all: nothing fires, and what has not
 * ended yet is pending.
 */
export async function findEnded(
	pages: AsyncIterable<Batch[]>,
	source: string,
	earlier: TriggerState | undefined,
): Promise<PollResult> {
	const before = earlier?.source === source ? earlier : undefined;
	const known = new Set(before?.known);
	const missing = new Set(before?.pending);
	const seen: Batch[] = [];
	const pending: string[] = [];
	const ended: Batch[] = [];
	let sawAll = true;

	for await (const page of pages) {
		let metOld = false;
		for (const batch of page) {
			const id = String(batch.batchID);
			const wasPending = missing.delete(id);
			const isNew = before !== undefined && !known.has(id) && createdAt(batch) > before.floor;
			metOld ||= !isNew;
			seen.push(batch);
			if (!hasEnded(batch)) {
				if (before === undefined || isNew || wasPending) pending.push(id);
			} else if (isNew || wasPending) ended.push(batch);
		}
		if (before !== undefined && metOld && missing.size === 0) {
			sawAll = false;
			break;
		}
	}

	const kept = seen.slice(0, MOST_KNOWN);
	const oldest = kept.at(-1);
	const isCut = !sawAll || kept.length < seen.length;
	const floor = isCut && oldest ? createdAt(oldest) : NO_FLOOR;
	const ids = kept.map(({ batchID }) => String(batchID));
	return { ended: inOrderOfEnd(ended), state: { source, known: ids, floor, pending } };
}

/** Oldest end first; of batches that ended together, the one that was created first. */
function inOrderOfEnd(newestFirst: Batch[]): Batch[] {
	return [...newestFirst].reverse().sort((a, b) => Number(a.endTime) - Number(b.endTime));
}

function createdAt({ createTime }: Batch): number {
	const time = Number(createTime);
	return Number.isFinite(time) ? time : 0;
}
