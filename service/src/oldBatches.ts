import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Retention } from './store/retention.ts';

const day = 24 * 60 * 60 * 1000;
/** Milliseconds between two looks for batches that are to go. */
const interval = 60 * 60 * 1000;

/**
 * Deletes, now and each hour, the batches that ended so many days ago; never, without a number. What
 * it returns ends that.
 */
export function deleteOldBatches(
	retention: Retention,
	keepDays: number | undefined,
	log: FastifyBaseLogger,
): () => Promise<void> {
	const end = new AbortController();
	const work = keepDays === undefined ? undefined : repeat(retention, keepDays, log, end.signal);
	return async () => {
		end.abort();
		await work;
	};
}

async function repeat(
	retention: Retention,
	keepDays: number,
	log: FastifyBaseLogger,
	signal: AbortSignal,
): Promise<void> {
	while (!signal.aborted) {
		try {
			const batches = await retention.deleteBefore(Date.now() - keepDays * day, signal);
			if (batches > 0) log.info({ batches, keepDays }, 'old batches deleted');
		} catch (error) {
			log.error(error, 'old batches cannot be deleted, trying again in an hour');
		}
		await sleep(interval, undefined, { signal, ref: false }).catch(() => undefined);
	}
}
