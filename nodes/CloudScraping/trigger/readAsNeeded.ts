import type { BatchPage, Progress } from '../api/paging/batches';
import type { Batch } from '../api/wire';
import { isAnother } from './reusedIds';
import { createdAt, idOf, maxStalled, noFloor, recall } from './triggerState';
import type { TriggerState } from './triggerState';

/** What one poll has read of the list. */
export interface Reading {
	seen: Batch[];
	/** What the service counts in the end and has not listed. */
	unlisted: Progress | undefined;
	/** Whether batches are listed behind some that are not. */
	hasHole: boolean;
	/** How many a page lacks at most, where no new batch can be among them. */
	gap: number;
	counted: number;
	pause: number;
}

/**
 * Reads to the first batch that is known, and to the last pending one; to the end while the service
 * counts more than it lists, unless that is the gap behind the last one that was there before; and on
 * where its count has grown by more than the batches that came: the clock of a service may be set back,
 * and a new batch stand behind many old ones. Where that was in vain its count means something else, or
 * is of an answer that lags: then not again for some polls.
 */
export async function readAsNeeded(
	pages: AsyncIterable<BatchPage>,
	before: TriggerState | undefined,
): Promise<Reading> {
	const ends = before?.ends ?? {};
	const isReused = (batch: Batch) => isAnother(batch, ends[idOf(batch)]);
	const { known, pending, isKnown, isPending } = recall(before, isReused);
	const unlistedBefore = before?.incomplete ?? 0;
	// A service that always counts more than it lists counts otherwise.
	const isUsual = unlistedBefore > maxStalled;
	const looksForUnlisted = unlistedBefore > 0 && !isUsual;
	const gapBefore = before?.gap ?? 0;
	const countedBefore = before?.counted ?? Infinity;
	const pause = Math.max(0, (before?.pause ?? 0) - 1);
	const seen: Batch[] = [];
	let unlisted: Progress | undefined;
	let hasHole = false;
	let metKnown = false;
	let found = 0;
	let pagesRead = 0;
	/** How many pages would do without those that the service counts. */
	let enough = Infinity;
	let count = 0;
	let gap = 0;
	for await (const { batches, listed, came, counted, total } of pages) {
		pagesRead++;
		count = total;
		// Page 1 may be asked for again with another size.
		hasHole ||= unlisted !== undefined && counted >= unlisted.counted && listed > 0;
		unlisted = came < counted ? { came, counted } : undefined;
		for (const batch of batches) {
			seen.push(batch);
			if (isPending(batch)) pending.delete(idOf(batch));
			const isOld = metKnown && createdAt(batch) <= (before?.floor ?? noFloor);
			if (isReused(batch) || !(known.has(idOf(batch)) || isOld)) found++;
			metKnown ||= isKnown(batch);
		}
		gap = Math.max(gap, counted - came);
		const areFound = count - countedBefore <= found;
		// One that is deleted may be counted on, so that the gap grows with each new one.
		const isWhole = !unlisted || (areFound && gap <= gapBefore + found) || isUsual;
		if (!metKnown || pending.size > 0 || !isWhole || looksForUnlisted) continue;
		enough = Math.min(enough, pagesRead);
		if (pause > 0 || areFound) {
			const looked = Math.min(count, countedBefore + found);
			return { seen, unlisted, hasHole, gap, counted: looked, pause };
		}
	}
	const areFound = count - countedBefore <= found;
	const isOld = !hasHole && areFound && !looksForUnlisted;
	const isVain = pagesRead > enough && !areFound;
	return {
		seen,
		unlisted,
		hasHole,
		gap: isOld ? gap : 0,
		counted: count,
		pause: isVain ? maxStalled : pause,
	};
}
