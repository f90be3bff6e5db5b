import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { PageError } from '../pages/page.ts';

const tries = 3;
/** Milliseconds before the second try; twice that before the third. */
const pause = 200;

/**
 * Works on a page up to three times. A page that fails for good is logged and skipped: the answer is
 * false then. Throws what is no PageError, and the reason of `signal` once that is aborted.
 */
export async function attempt(
	work: (tryNumber: number) => Promise<void>,
	{ what, log, signal }: { what: string; log: FastifyBaseLogger; signal: AbortSignal },
): Promise<boolean> {
	for (let number = 1; number <= tries; number += 1) {
		signal.throwIfAborted();
		try {
			await work(number);
			return true;
		} catch (error) {
			signal.throwIfAborted();
			if (!(error instanceof PageError)) throw error;
			const outcome = number < tries ? 'trying again' : 'skipped';
			log.warn({ what, try: number, reason: error.message }, `page failed, ${outcome}`);
			if (number < tries) await sleep(pause * number, undefined, { signal });
		}
	}
	return false;
}
