import { throwIfCancelled } from '../api/cancel';
import type { Connection } from '../api/connection';
import { pause } from '../api/pause';
import { RowsChanged } from './readCheck';
import type { Patience } from './readCheck';

/** So long after its end a batch may count rows that it does not give yet: writers and indexes lag behind. */
const maxLateMs = 20_000;

/** The first pause before rows are looked for again; each is twice as long as the one before. */
const firstPauseMs = 500;

/** Pauses before a read begins again whose rows have changed on the way: they may be written yet. */
const pausesBetweenReads = [1_000, 3_000, 9_000];

/**
 * Reads the rows of a batch; where they change on the way, once more after a pause, so that all pages are
 * of one list. The last read takes what it finds. Where the end was seen a moment ago, `endSeen` of
 * `performance.now()`, rows that are counted are waited for.
 */
export async function readPatiently<T>(
	connection: Connection,
	endSeen: number | undefined,
	read: (patience: Patience) => Promise<T>,
): Promise<T> {
	const waitForMore = waitingForMore(connection, endSeen);
	for (const milliseconds of pausesBetweenReads) {
		const result = await read({ waitForMore, mayBeginAgain: true }).catch((error: Error) => error);
		if (!(result instanceof Error)) return result;
		if (!(result instanceof RowsChanged)) throw result;
		await pause(milliseconds, connection.cancelSignal);
		throwIfCancelled(connection);
	}
	return await read({ waitForMore, mayBeginAgain: false });
}

/** Pauses that grow, up to a time after the end. A batch that has ended long ago costs none. */
function waitingForMore(connection: Connection, endSeen = -Infinity): Patience['waitForMore'] {
	let next = firstPauseMs;
	return async () => {
		const left = endSeen + maxLateMs - performance.now();
		if (left <= 0) return false;
		await pause(Math.min(next, left), connection.cancelSignal);
		throwIfCancelled(connection);
		next *= 2;
		return true;
	};
}
