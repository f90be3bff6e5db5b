import { hasEnded } from '../api/batchStatus';
import { timeOf } from '../api/times';
import type { Batch } from '../api/wire';

/**
 * By batch ID: when the last batch of that ID ended, and how long after its creation, in milliseconds;
 * only of those that say so.
 */
export type Ends = Record<string, End>;

export type End = readonly [end: number, duration?: number];

/** What the times of an answer say beside those that are remembered. */
export interface Comparison {
	/** Batches that are others than those which ended under their IDs. */
	reused: ReadonlySet<Batch>;
	/** By how much all batches that are the same are told later than before: a clock was corrected. */
	shift: number;
}

/**
 * Whether a batch seems to be another one than that which ended under its ID: a service that is restored
 * from a backup gives IDs a second time (what tells two batches apart is `createTime`, section 2.3).
 * Another one was created after that end, and has taken another time if it has ended, too: times that
 * have moved alike are those of one batch and a clock that was corrected, by `shift` if others show that.
 *
 * In doubt (no times, times that change from one answer to the next, an old answer, a clock that was set
 * back, equal durations) it is the same one: to miss a batch costs a look at Get Data, while one that is
 * taken for another at each poll would start the workflow every minute without an end. Nothing else is
 * as sure as both times: an answer of a replica that lags shows an ended batch as running, with fewer rows.
 */
export function isAnother(batch: Batch, remembered: End | undefined, shift = 0): boolean {
	const [endBefore, duration] = remembered ?? [];
	if (endBefore === undefined || duration === undefined) return false;
	const end = endBefore + shift;
	const created = timeOf(batch.createTime);
	if (!(created > end)) return false;
	const ended = timeOf(batch.endTime);
	return !hasEnded(batch) || (ended > end && !lastsAsLong(created, ended, duration));
}

/**
 * Compares the batches of an answer with those that ended under their IDs. That all times have moved
 * shows in the durations, which stay alike for most of the batches: those of other batches differ.
 */
export function compareTimes(batches: Batch[], ends: Ends): Comparison {
	const comparable = batches.filter(
		({ batchID, createTime }) => endOf(ends, batchID)?.[1] !== undefined && timeOf(createTime) > 0,
	);
	const shifts = comparable.flatMap(({ batchID, createTime, endTime }) => {
		const [end = NaN, duration = NaN] = endOf(ends, batchID) ?? [];
		const [created, ended] = [timeOf(createTime), timeOf(endTime)];
		const isSame = lastsAsLong(created, ended, duration);
		return isSame ? [Math.max(ended - end, created - (end - duration))] : [];
	});
	const haveMoved = shifts.length > comparable.length / 2;
	const shift = haveMoved ? Math.max(0, Math.min(...shifts)) : 0;
	const isReused = (batch: Batch) => isAnother(batch, endOf(ends, batch.batchID), shift);
	return { reused: new Set(comparable.filter(isReused)), shift };
}

/** The same with the ends of these batches. An end never sinks. */
export function withEnds(ends: Ends, batches: Batch[]): Ends {
	const all = { ...ends };
	for (const { batchID, createTime, endTime } of batches) {
		const end = timeOf(endTime);
		const [before = 0, lasted] = endOf(all, batchID) ?? [];
		const saysMore = end > before || (end === before && lasted === undefined);
		if (!saysMore || end <= 0 || !Number.isFinite(end)) continue;
		const duration = Math.round(end - timeOf(createTime));
		all[batchID] = Number.isFinite(duration) ? [end, duration] : [end];
	}
	return all;
}

/** When a batch was created that has ended; undefined when that is not remembered. */
export function createdBefore(id: string, ends: Ends): number | undefined {
	const [end = NaN, duration] = endOf(ends, id) ?? [];
	return duration === undefined ? undefined : end - duration;
}

/** Whether a batch is told to have taken that time: to the second, where a service tells whole ones. */
function lastsAsLong(created: number, ended: number, duration: number): boolean {
	const isWhole = duration % 1_000 === 0 || (created % 1_000 === 0 && ended % 1_000 === 0);
	return Math.abs(ended - created - duration) < (isWhole ? 1_000 : 1);
}

function endOf(ends: Ends, batchID: Batch['batchID']): End | undefined {
	return Object.hasOwn(ends, batchID) ? ends[batchID] : undefined;
}
