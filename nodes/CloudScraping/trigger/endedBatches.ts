import { hasEnded } from '../api/batches';
import type { BatchPage } from '../api/batches';
import type { Batch } from '../api/types';

/** What the trigger remembers between two polls. Kept small: n8n stores it with the workflow. */
export interface TriggerState {
	/** Whose batches these are; another task, or another service, begins anew. */
	source: string;
	/** The newest batches that were seen. */
	known: string[];
	/** A batch that is not known, stands behind known ones, and was not created later, is an old one. */
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
 * further than needed: to the first batch that is known, and to the last pending one. Without
 * a state this is the baseline, which reads them all: nothing fires, and what has not ended yet is
 * pending.
 */
export async function findEnded(
	pages: AsyncIterable<BatchPage>,
	source: string,
	earlier: TriggerState | undefined,
): Promise<PollResult> {
	const before = earlier?.source === source ? earlier : undefined;
	const known = new Set(before?.known);
	const missing = new Set(before?.pending);
	const seen: Batch[] = [];
	let sawAll = true;
	let metKnown = false;
	for await (const { batches, isLast } of pages) {
		for (const batch of batches) {
			seen.push(batch);
			missing.delete(idOf(batch));
			metKnown ||= known.has(idOf(batch));
		}
		sawAll = isLast;
		if (metKnown && missing.size === 0) break;
	}

	const firstKnown = seen.findIndex((batch) => known.has(idOf(batch)));
	// What is listed before a known batch is newer, also where the service's clock does not say so.
	const isNew = (batch: Batch, index: number) =>
		before !== undefined &&
		!known.has(idOf(batch)) &&
		(index < firstKnown || createdAt(batch) > before.floor);
	const wasPending = new Set(before?.pending);
	const watched = seen.filter((batch, index) => isNew(batch, index) || wasPending.has(idOf(batch)));
	const unfinished = (before === undefined ? seen : watched).filter((batch) => !hasEnded(batch));

	const kept = seen.slice(0, MOST_KNOWN);
	const oldest = kept.at(-1);
	const isCut = !sawAll || kept.length < seen.length;
	return {
		ended: inOrderOfEnd(watched.filter(hasEnded)),
		state: {
			source,
			known: kept.map(idOf),
			floor: isCut && oldest ? createdAt(oldest) : NO_FLOOR,
			pending: unfinished.map(idOf),
		},
	};
}

/** Oldest end first; of batches that ended together, the one that was created first. */
function inOrderOfEnd(newestFirst: Batch[]): Batch[] {
	return [...newestFirst].reverse().sort((a, b) => Number(a.endTime) - Number(b.endTime));
}

function idOf({ batchID }: Batch): string {
	return String(batchID);
}

function createdAt({ createTime }: Batch): number {
	const time = Number(createTime);
	return Number.isFinite(time) ? time : 0;
}
