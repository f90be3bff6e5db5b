import type { Connection } from '../connection';
import { inTurn } from '../inTurn';
import { nextInterval, pause } from '../pause';
import type { Batch } from '../wire';
import { lookAndStop } from './lookAndStop';
import type { NotStopped } from './lookAndStop';
import { wantedStops } from './wantedStops';

/** A stop that is wanted is tried for so many milliseconds at least. */
const minPersistenceMs = 300_000;

/** Milliseconds until a stop that was not possible is tried again; twice as long each time. */
const firstPauseMs = 500;

export interface StopOptions {
	/** When the time-out of the batch is over, by `performance.now()`. */
	endsBy: number;
	/** Milliseconds between two tries, once the first ones have followed one another more quickly. */
	pollInterval: number;
	/** Told once, when the batch could not be stopped at the first try. */
	onDelay?: (why: string) => void;
}

/** What became of the wish to stop a batch, and the batch as it was seen last. */
export type StopResult = (NotStopped | Ended) & {
	batch: Batch;
	/** Batches that the service has stopped by this wish, although nobody here wanted that. */
	strangers: ReadonlySet<string>;
};

/** Our batch has ended: `stopped` by us, or in another way. */
interface Ended {
	kind: 'stopped' | 'ended';
	/** Why no stop was possible when it was last seen going on, if none was. */
	whyNotBefore?: string;
	/** Why no stop was possible, or was carried out, at the last try before that, if there was one. */
	delay?: string;
}

/**
 * Stops a batch of ours, and no batch of anybody else. The API stops "the task" and leaves open which of
 * its batches that is (section 4.2), so a stop is sent only when every batch of the task that goes on is one
 * that this process wants stopped. The wish stays: it is tried until the list says that our batch has ended,
 * for as long as the batch may take and for five minutes at least.
 */
export async function stopOwnBatch(
	connection: Connection,
	taskID: string,
	own: Batch,
	{ endsBy, pollInterval, onDelay }: StopOptions,
): Promise<StopResult> {
	const begin = performance.now();
	const giveUpAt = Math.max(endsBy, begin + minPersistenceMs);
	const wanted = wantedStops(connection, taskID);
	const withdraw = wanted.add(own.batchID);
	const strangers = new Set<string>();
	let batch = own;
	let shortPause = firstPauseMs;
	let sentAt: number | undefined;
	let whyNotBefore: string | undefined;
	let heldUpAt: number | undefined;
	let delay: string | undefined;
	const stopping: Connection = {
		...connection,
		noteFailure: ({ message }) => (delay = `a request for it failed (${message})`),
	};
	try {
		for (;;) {
			// Between a look and its stop no other stop of the task may come.
			const look = await inTurn(wanted, async () => {
				const heldUpMs = heldUpAt === undefined ? 0 : performance.now() - heldUpAt;
				return await lookAndStop(stopping, taskID, batch, heldUpMs);
			});
			({ batch } = look);
			if (look.kind !== 'goesOn') {
				if (look.kind !== 'accepted') {
					return { kind: look.kind, batch, strangers, whyNotBefore, delay };
				}
				if (sentAt !== undefined)
					delay ??= 'the service had accepted a stop, and did not carry it out';
				// The list tells whether ours has ended; else it may be the next one that is stopped.
				whyNotBefore = undefined;
				continue;
			}
			if (look.hit !== undefined) strangers.add(String(look.hit));
			const now = performance.now();
			heldUpAt = look.isHeldUp ? (heldUpAt ?? now) : undefined;
			const isFirst = look.isSent && sentAt === undefined;
			if (look.isSent) sentAt ??= now;
			// Then the batch may have ended when the stop came, or by it, whatever its status is.
			const isTaking = look.isAccepted && now - (sentAt ?? now) <= wanted.stopTakesMs;
			const mayEndIt = isFirst || isTaking;
			if (!isTaking) delay = look.why;
			whyNotBefore = mayEndIt ? undefined : look.why;
			if (now >= giveUpAt || look.isFinal) return { ...look, strangers };
			if (shortPause === firstPauseMs) onDelay?.(look.why);
			const interval = Math.min(shortPause, nextInterval(pollInterval, now - begin));
			await pause(Math.min(interval, giveUpAt - now), connection.cancelSignal);
			shortPause *= 2;
		}
	} finally {
		withdraw();
	}
}
