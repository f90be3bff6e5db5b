import { NodeApiError } from 'n8n-workflow';

import type { Listing } from './batchPages';
import { findBatch, hasEnded } from './batches';
import { cancelledBy, pause, throwIfCancelled } from './cancel';
import type { Connection } from './connection';
import { describeMore, rejectsKeyForGood } from './errors';
import { PagingError } from './pagesAhead';
import { wantedStops } from './wantedStops';
import type { Batch } from './wire';

const longestIntervalMs = 60_000;

/** Share of the time that has passed to wait until the next poll: 10 s after 100 s. */
const intervalGrowth = 0.1;

/** For so many milliseconds polls may fail on end: the run goes on without us, and was paid for. */
const maxFailingMs = 300_000;

/** The last poll begins when the time is up: an answer may take so long all the same. */
const lastPollMs = 10_000;

/** A longer timer fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Where a poll looks: a batch that the service does not list must not cost its whole list each time. */
const newestBatches = { pageSize: 50, mostPages: 3 };

export interface WaitOptions {
	/** Milliseconds until each of the first polls. */
	firstPauses?: number[];
	/** The interval between polls after them, in milliseconds; it grows. */
	pollInterval: number;
	/** How long to wait, in milliseconds. */
	timeout: number;
	/** Whether a batch that goes on need not be waited for any more. */
	isEnough?: (batch: Batch) => boolean;
	/** Where to look for the batch: among the newest unless said otherwise. */
	listing?: Listing;
	/** What nobody does any more when the wait ends with an error: for its text. */
	unwatched?: string;
}

export interface WaitResult {
	/** The batch as it was seen last. */
	batch: Batch;
	/** Why the wait is over. */
	because: 'ended' | 'timeIsUp' | 'enough';
	/** When the time is up: the batch was listed before, and is not any more. */
	missing?: NodeApiError;
}

/**
 * Waits until this very batch of the task has ended, it is enough, or the time is up. Polls may fail, or
 * not find the batch, for five minutes on end; only then, when the key is turned away, and when the user
 * cancels, it throws.
 */
export async function waitForEnd(
	connection: Connection,
	taskID: string,
	started: Batch,
	wait: WaitOptions,
): Promise<WaitResult> {
	const { pollInterval, timeout, isEnough, listing = newestBatches, unwatched = '' } = wait;
	const wanted = wantedStops(connection, taskID);
	const begin = performance.now();
	const where = listing === newestBatches ? ' among its newest batches' : '';
	const firstPauses = [...(wait.firstPauses ?? [])];
	let batch = started;
	let failingSince: number | undefined;
	let missing: NodeApiError | undefined;
	while (!hasEnded(batch)) {
		if (isEnough?.(batch)) return { batch, because: 'enough' };
		const passed = performance.now() - begin;
		if (passed >= timeout) return { batch, because: 'timeIsUp', missing };
		const interval = firstPauses.shift() ?? nextInterval(pollInterval, passed);
		await pause(Math.min(interval, timeout - passed), connection.cancelSignal);
		throwIfCancelled(connection);
		const asked = performance.now();
		const search = async (polling: Connection) =>
			await findBatch(polling, taskID, String(batch.batchID), listing);
		const left = Math.max(timeout - (asked - begin), lastPollMs);
		const found = await poll(connection, batch, search, left);
		const isNews = !(found instanceof Error) && found !== batch;
		if (isNews) wanted.noteListed(batch, found !== undefined);
		if (found && !(found instanceof Error)) {
			batch = found;
			failingSince = undefined;
			missing = undefined;
			continue;
		}
		failingSince ??= asked;
		const name = `batch ${batch.batchID} of task ${taskID}${where}`;
		if (!found && batch !== started) missing = notListed(connection, `no longer lists ${name}`);
		const isOver = performance.now() - failingSince >= maxFailingMs;
		if (!isOver && !(found && rejectsKeyForGood(found))) continue;
		const goesOn =
			found && `Batch ${batch.batchID} goes on: read it later with Get Data by its ID.`;
		const error = found ?? missing ?? notListed(connection, `does not list ${name}`);
		describeMore(error, [goesOn, unwatched].filter(Boolean).join(' '), 'first');
		throw error;
	}
	return { batch, because: 'ended' };
}

/** Milliseconds until the next poll: long runs are asked about less often, at most every minute. */
export function nextInterval(first: number, passed: number): number {
	return Math.max(first, Math.min(passed * intervalGrowth, longestIntervalMs));
}

/** Looks for the batch, for so many milliseconds at most. What is wrong with the answers may pass. */
async function poll(
	connection: Connection,
	before: Batch,
	search: (polling: Connection) => Promise<Batch | undefined>,
	longest: number,
): Promise<Batch | Error | undefined> {
	const timeIsUp = AbortSignal.timeout(Math.min(Math.ceil(longest), longestTimerMs));
	const found = await search(cancelledBy(connection, timeIsUp)).catch((error: Error) => error);
	if (!(found instanceof Error)) return found;
	throwIfCancelled(connection);
	// The wait is over, and nothing new is known.
	if (timeIsUp.aborted) return before;
	if (found instanceof NodeApiError || found instanceof PagingError) return found;
	throw found;
}

function notListed({ node }: Connection, what: string): NodeApiError {
	const advice = 'Look for it with List Batches; if it is there, read it with Get Data by its ID.';
	return new NodeApiError(
		node,
		{},
		{
			message: 'Task or batch not found',
			description: `The service ${what}: it may have been deleted. ${advice}`,
		},
	);
}
