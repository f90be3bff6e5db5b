import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { isUnfinished, type Batch } from '../store/batch.ts';
import type { Retention } from '../store/retention.ts';

const day = 24 * 60 * 60 * 1000;
/** Milliseconds between two looks for batches that are to go. */
const interval = 60 * 60 * 1000;

/**
 * Deletes an ended batch; its rows go by and by, until `signal` is aborted. Throws a ServiceError where it
 * has not ended.
 */
export async function deleteBatch(
	retention: Retention,
	batch: Batch,
	{ log, signal }: { log: FastifyBaseLogger; signal: AbortSignal },
): Promise<void> {
	if (isUnfinished(batch)) {
		throw new ServiceError(
			'conflict',
			'Nothing was deleted: this batch has not ended. Stop it first, then delete it.',
		);
	}
	await retention.delete(batch.id);
	clearDeleted(retention, log, signal).catch((error: unknown) =>
		log.error(error, 'rows of deleted batches are left over'),
	);
}

/**
 * Deletes, now and each hour, the batches that ended so many days ago; without a number only what is left
 * of deleted ones. What it returns ends that.
 */
export function deleteOldBatches(
	retention: Retention,
	keepDays: number | undefined,
	log: FastifyBaseLogger,
): () => Promise<void> {
	const end = new AbortController();
	const work = repeat(retention, keepDays, log, end.signal);
	return async () => {
		end.abort();
		await work;
	};
}

/** Deletes what is left of deleted batches. */
async function clearDeleted(
	retention: Retention,
	log: FastifyBaseLogger,
	signal: AbortSignal,
): Promise<void> {
	const batches = await retention.deleteLeftOver(signal);
	if (batches > 0 && !signal.aborted) log.info({ batches }, 'rows of deleted batches cleared');
}

async function repeat(
	retention: Retention,
	keepDays: number | undefined,
	log: FastifyBaseLogger,
	signal: AbortSignal,
): Promise<void> {
	while (!signal.aborted) {
		try {
			const batches =
				keepDays === undefined ? 0 : await retention.deleteBefore(keepDays * day, signal);
			await clearDeleted(retention, log, signal);
			if (batches > 0) log.info({ batches, keepDays }, 'old batches deleted');
		} catch (error) {
			log.error(error, 'old batches cannot be deleted, trying again in an hour');
		}
		await sleep(interval, undefined, { signal, ref: false }).catch(() => undefined);
	}
}
