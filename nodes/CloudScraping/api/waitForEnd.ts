import { NodeApiError } from 'n8n-workflow';

import { hasEnded } from './batchStatus';
import { findBatch } from './batches';
import { cancelledBy, throwIfCancelled } from './cancel';
import type { Connection } from './connection';
import { describeMore, rejectsKeyForGood } from './errors';
import type { Listing } from './paging/batches';
import { PagingError } from './paging/page';
import { nextInterval, pause } from './pause';
import { wantedStops } from './startAndStop/wantedStops';
import { timeInZone } from './times';
import type { Batch } from './wire';

/** For so many milliseconds polls may fail on end: the batch goes on without us, and was paid for. */
const maxFailingMs = 300_000;

/** A poll that begins when the time is up may take so long all the same. */
const lastPollMs = 10_000;

/** Where a poll looks: a batch that the service does not list must not cost its whole list each time. */
const newestBatches = { pageSize: 50, maxPages: 3 };

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
	/** When the time is up: why the last looks at the batch have not found it. */
	unseen?: Error;
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
	const { pollInterval, timeout, isEnough, listing = newestBatches } = wait;
	const wanted = wantedStops(connection, taskID);
	const begin = performance.now();
	const where = listing === newestBatches ? ' among its newest batches' : '';
	const firstPauses = [...(wait.firstPauses ?? [])];
	let batch = started;
	let unseenSince: number | undefined;
	let unseen: Error | undefined;
	while (!hasEnded(batch)) {
		if (isEnough?.(batch)) return { batch, because: 'enough' };
		const passed = performance.now() - begin;
		if (passed >= timeout) return { batch, because: 'timeIsUp', unseen };
		const interval = firstPauses.shift() ?? nextInterval(pollInterval, passed);
		await pause(Math.min(interval, timeout - passed), connection.cancelSignal);
		throwIfCancelled(connection);
		const asked = performance.now();
		const failsUntil = (unseenSince ?? asked) + maxFailingMs;
		const left = Math.min(begin + timeout, failsUntil) - asked;
		const search = async (polling: Connection) =>
			await findBatch(polling, taskID, String(batch.batchID), listing);
		const found = await poll(connection, search, Math.max(left, lastPollMs));
		const isSeen = found !== undefined && !(found instanceof Error);
		if (isSeen || found === undefined) wanted.noteListed(batch, isSeen);
		if (isSeen) {
			batch = found;
			unseenSince = undefined;
			unseen = undefined;
			continue;
		}
		unseenSince ??= asked;
		const isNew = batch === started;
		const why =
			found ??
			notListed(
				connection,
				`${isNew ? 'does not list' : 'no longer lists'} batch ${batch.batchID} of task ${taskID}${where}`,
			);
		const state = found && stateUnseen(connection, batch, found, unseenSince);
		describeMore(why, [state, wait.unwatched].filter(Boolean).join(' '), 'first');
		if (performance.now() >= failsUntil || rejectsKeyForGood(why)) throw why;
		// What was never listed may be yet.
		unseen = found || !isNew ? why : undefined;
	}
	return { batch, because: 'ended' };
}

/** Looks for the batch, for so many milliseconds at most. What is wrong with the answers may pass. */
async function poll(
	connection: Connection,
	search: (polling: Connection) => Promise<Batch | undefined>,
	longest: number,
): Promise<Batch | Error | undefined> {
	const timeIsUp = AbortSignal.timeout(Math.ceil(longest));
	let failure: Error | undefined;
	const polling: Connection = {
		...cancelledBy(connection, timeIsUp),
		noteFailure: (error) => {
			failure = error;
		},
	};
	const found = await search(polling).catch((error: Error) => error);
	if (!(found instanceof Error)) return found;
	throwIfCancelled(connection);
	if (timeIsUp.aborted) return failure ?? noAnswer(connection);
	if (found instanceof NodeApiError || found instanceof PagingError) return found;
	throw found;
}

/** What is known of a batch that was started when looks at it fail: a key that is turned away ends none. */
function stateUnseen(
	{ context }: Connection,
	{ batchID }: Batch,
	failure: Error,
	since: number,
): string {
	if (rejectsKeyForGood(failure)) {
		return `Batch ${batchID} was started, and goes on as far as is known: do not start the task again for it. With a key that is accepted, read its rows later with Get Data by its ID.`;
	}
	const time = timeInZone(Date.now() - (performance.now() - since), context.getTimezone());
	return `The service has given no usable answer since ${time}. Batch ${batchID} was started; whether it is still running is not known: do not start the task again for it. Once the service answers, List Batches shows the batch, and Get Data reads it by its ID.`;
}

function noAnswer({ node, baseUrl }: Connection): NodeApiError {
	const message = `Could not reach ${baseUrl.host}`;
	return new NodeApiError(node, {}, { message, description: 'No answer came in time.' });
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
