import type { FastifyBaseLogger } from 'fastify';
import { PageError } from '../pages/page.ts';
import { reasonOf } from '../errors/thrown.ts';
import { pauseAfter } from './hosts.ts';
import { StoreError } from './storeError.ts';
import type { FailureKind } from './tally.ts';
import type { Visits } from './visits.ts';

/** A page that was given up. */
export interface Failure {
	/** The address that failed, where that is known. */
	url: string | undefined;
	reason: string;
	kind: FailureKind;
	tries: number;
}

/**
 * Works on a page, as often as its task says, as long as another try may help. A page that fails for good is
 * logged, and its failure returned; so is what nobody has foreseen. Throws a StoreError, and the reason of
 * `signal` once that is aborted.
 */
export async function attempt(
	work: (tryNumber: number) => Promise<void>,
	context: { what: string; visits: Visits; log: FastifyBaseLogger; signal: AbortSignal },
): Promise<Failure | undefined> {
	const { what, visits, log, signal } = context;
	for (let number = 1; ; number += 1) {
		signal.throwIfAborted();
		try {
			await work(number);
			return undefined;
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof StoreError) throw error;
			if (!(error instanceof PageError)) {
				log.error(error, 'item failed as nobody has foreseen, skipped');
				return { url: undefined, reason: reasonOf(error), kind: 'unforeseen', tries: number };
			}
			const { message: reason, url, outage } = error;
			const isLast =
				!outage || number === visits.tries || (url !== undefined && visits.isDown(url));
			log.warn(
				{ what, try: number, tries: visits.tries, reason },
				`page failed, ${isLast ? 'skipped' : 'trying again'}`,
			);
			if (isLast) return { url, reason, kind: outage?.of ?? 'page', tries: number };
			await visits.pause(Math.max(pauseAfter(number), outage.retryAfter ?? 0));
		}
	}
}
