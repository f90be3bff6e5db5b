import { hasEnded } from '../api/batches';
import { timeOf } from '../api/times';
import type { Batch } from '../api/wire';

/** By batch ID: when the last batch of that ID ended, in milliseconds; only of those that say so. */
export type Ends = Record<string, number>;

/** Zones, and summer times, are whole quarters of an hour apart. */
const quarterHour = 900_000;

/**
 * Whether a batch is another one than that which ended under its ID: a service that is restored from a
 * backup gives IDs a second time (what tells two batches apart is `createTime`, section 2.3). Only a
 * batch that was created after that end, and did not end with it, surely is. In doubt (no times, times that
 * change from one answer to the next or all by an hour, an old answer, a clock that was set back) it is the
 * same one: to miss a batch costs a look at Get Data, while one that is taken for another at each poll
 * would start the workflow every minute without an end.
 */
export function isAnother(batch: Batch, end: number | undefined): boolean {
	if (end === undefined) return false;
	if (!(timeOf(batch.createTime) > end)) return false;
	const later = timeOf(batch.endTime) - end;
	return !hasEnded(batch) || (later > 0 && later % quarterHour !== 0);
}

/** The same with the ends of these batches. An end never sinks. */
export function withEnds(ends: Ends, batches: Batch[]): Ends {
	const all = { ...ends };
	for (const { batchID, endTime } of batches) {
		const end = timeOf(endTime);
		if (Number.isFinite(end) && end > 0) all[batchID] = Math.max(all[batchID] ?? 0, end);
	}
	return all;
}
