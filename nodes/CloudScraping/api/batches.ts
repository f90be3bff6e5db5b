import { hasEnded } from './batchStatus';
import type { Connection } from './connection';
import { incompleteList, readBatchPages } from './paging/batches';
import type { Listing } from './paging/batches';
import { isPlausible, timeOf } from './times';
import { wantedStops } from './wantedStops';
import { decimalIn, toInteger } from './wire';
import type { Batch } from './wire';

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

/**
 * The batches of a task, one after the other (`GET /cloud/batches`, section 4.3). Whoever comes to the
 * end has not found what it looked for: it throws there when the service counts more than it listed.
 */
export async function* readBatches(
	connection: Connection,
	taskID: string,
	listing: Listing = {},
): AsyncGenerator<Batch> {
	let progress = { came: 0, counted: 0 };
	for await (const { batches, came, counted } of readBatchPages(connection, taskID, listing)) {
		progress = { came, counted };
		wantedStops(connection, taskID).noteList(batches);
		yield* batches;
	}
	if (progress.came < progress.counted) throw incompleteList(taskID, progress);
}

/**
 * The batch with this identifier, searched newest first; undefined when it is not found there. Throws
 * when it may be one that the service counts, but did not list.
 */
export async function findBatch(
	connection: Connection,
	taskID: string,
	batchID: string,
	listing: Listing = {},
): Promise<Batch | undefined> {
	for await (const batch of readBatches(connection, taskID, listing)) {
		if (String(batch.batchID) === batchID) return batch;
	}
	return undefined;
}
