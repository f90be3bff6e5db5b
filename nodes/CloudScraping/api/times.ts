import { hasEnded } from './batchStatus';
import { decimalIn, toInteger } from './wire';
import type { Batch } from './wire';

/** Seconds of the years 2000 to 2100. */
const seconds = { from: 946_684_800, to: 4_102_444_800 };

/** How many of a unit a second has: a service may count in one, or change from one to another. */
const unitsPerSecond = [1, 1e3, 1e6, 1e9];

/** A text that says its zone: what others say depends on where n8n runs. */
const zonedText = /^\d{4}-.*(Z|[+-]\d\d:?\d\d)$/;

/** A time of a batch in milliseconds (section 2.3 leaves the unit open); NaN where there is none. */
export function timeOf(value: unknown): number {
	const isText = typeof value === 'string' && zonedText.test(value);
	const time = isText ? Date.parse(value) : Number(value ?? NaN);
	const unit = unitsPerSecond.find((each) => isPlausible((time / each) * 1_000));
	return unit === undefined ? time : (time * 1_000) / unit;
}

/** Whether a time in milliseconds is one of the years 2000 to 2100. */
export function isPlausible(milliseconds: number): boolean {
	return milliseconds >= seconds.from * 1_000 && milliseconds <= seconds.to * 1_000;
}

const times = ['createTime', 'updateTime', 'startTime', 'endTime'] as const;

/**
 * A time of a batch as people in that time zone read it, such as `2026-11-20 09:30:00`. The
 * specification does not say the unit (section 2.3), so there is none unless all four times of the
 * batch can only be milliseconds; 0 stands for "not yet".
 */
export function localTime(
	batch: Batch,
	name: (typeof times)[number],
	timeZone: string,
): string | undefined {
	const values = times.map((each) => toInteger(batch[each]));
	const areMilliseconds = values.every(
		(value) => value === 0 || (value !== undefined && isPlausible(value)),
	);
	const time = toInteger(batch[name]);
	return areMilliseconds && time ? timeInZone(time, timeZone) : undefined;
}

/** A time in milliseconds as people in that time zone read it. */
export function timeInZone(time: number, timeZone: string): string {
	return inZone(time, timeZone) ?? `${inZone(time, 'UTC')} UTC`;
}

/** Nothing where there is no such time zone: n8n also stores names like DEFAULT, and people type UTC+2. */
function inZone(time: number, timeZone: string): string | undefined {
	try {
		// The Swedish way to write a date is the one that sorts.
		return new Date(time).toLocaleString('sv-SE', { timeZone });
	} catch {
		return undefined;
	}
}

/**
 * Milliseconds that a batch ran, by the service's own times (section 2.3); undefined until it has ended, and
 * where the service does not say.
 */
export function runningTime(batch: Batch): number | undefined {
	if (!hasEnded(batch)) return undefined;
	const [start, end] = [timeOf(batch.startTime), timeOf(batch.endTime)];
	if (isPlausible(start) && isPlausible(end) && end >= start) return end - start;
	const seconds = decimalIn(batch.useTime) ?? 0;
	return seconds > 0 ? seconds * 1_000 : undefined;
}
