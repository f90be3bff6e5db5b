import { hasEnded, statusName } from './batches';
import { isPlausible, timeOf } from './times';
import { decimalIn } from './wire';
import type { Batch } from './wire';

/** What a run cannot have when it begins (section 3), and what each is called. */
const counts = [
	['lineCount', 'rows'],
	['duplicatedCount', 'duplicated rows'],
	['captchaCount', 'captchas'],
	['ipProxyUsage', 'proxy usage'],
] as const;

/** Milliseconds that the service's clocks and roundings may add to the age of a run. */
const allowanceMs = 5_000;

/** Times of a run that lie further apart tell nothing. */
const longestRunMs = 30 * 24 * 3_600_000;

/**
 * Why a run that goes on may be somebody else's, which the service has answered a start with: our request
 * has begun none that has counts already, or that is older than the request took. Status and times may be
 * absent or odd, and then show nothing.
 */
export function whyNotNew(batch: Batch, requestTookMs: number): string | undefined {
	if (hasEnded(batch)) return undefined;
	for (const [count, name] of counts) {
		const had = decimalIn(batch[count]) ?? 0;
		if (had > 0) return inDoubt(`had ${had.toLocaleString('en')} ${name}`);
	}
	const age = ageOf(batch);
	if (age <= requestTookMs + allowanceMs) return undefined;
	return inDoubt(`was ${Math.round(age / 1_000).toLocaleString('en')} s old by its own times`);
}

function inDoubt(what: string): string {
	return `when the service answered the start with it, it ${what}, so it may be somebody else's`;
}

/** Milliseconds that a run has been there, by the times of one answer alone: clocks differ. */
function ageOf(batch: Batch): number {
	const { createTime, updateTime, startTime, useTime } = batch;
	// A run that waits has a start time only where one is planned.
	const began = statusName(batch) === 'waiting' ? [] : [startTime];
	const times = [createTime, updateTime, ...began].map(timeOf).filter(isPlausible);
	const used = (decimalIn(useTime) ?? 0) * 1_000;
	const ages = [Math.max(...times) - Math.min(...times), used];
	return Math.max(0, ...ages.filter((age) => age <= longestRunMs));
}
