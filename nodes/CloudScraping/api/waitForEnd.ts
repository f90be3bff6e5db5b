import { NodeApiError } from 'n8n-workflow';

import type { Listing } from './batchPages';
import { findBatch, hasEnded } from './batches';
import { cancelledBy, pause, throwIfCancelled } from './cancel';
import type { Connection } from './connection';
import { notFound } from './errorCodes';
import { PagingError } from './pagesAhead';
import type { Batch } from './wire';

const longestIntervalMs = 60_000;

/** Share of the time that has passed to wait until the next poll: 10 s after 100 s. */
const intervalGrowth = 0.1;

/** Polls in a row that may not show a batch that was started, before the wait ends. */
const maxPollsWithoutBatch = 10;

/** The last poll begins when the time is up: an answer may take so long all the same. */
const lastPollMs = 10_000;

/** A longer timer fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Where a poll looks: a batch that the service does not list must not cost its whole list each time. */
const newestBatches = { pageSize: 50, mostPages: 3 };

export interface WaitOptions {
	/** First interval between polls, in milliseconds. */
	pollInterval: number;
	/** How long to wait, in milliseconds. */
	timeout: number;
	/** Looks at a batch that goes on, at each poll; what it resolves to ends the wait. */
	look?: (batch: Batch) => Promise<Batch | undefined>;
	/** Where to look for the batch: among the newest unless said otherwise. */
	listing?: Listing;
}

export interface WaitResult {
	/** The batch as it was seen last. */
	batch: Batch;
	/** Why the wait is over. */
	because: 'ended' | 'timeIsUp' | 'look';
}

/**
 * Waits until this very batch of the task has ended, a look at it ends the wait, or the time is up.
 * A poll that fails for a passing reason, or takes longer than that, is not fatal: the run goes on
 * without us, and was paid for. Throws on other errors and when the user cancels.
 */
export async function waitForEnd(
	connection: Connection,
	taskID: string,
	started: Batch,
	{ pollInterval, timeout, look, listing = newestBatches }: WaitOptions,
): Promise<WaitResult> {
	const begin = Date.now();
	let batch = started;
	let pollsWithoutBatch = 0;
	while (!hasEnded(batch)) {
		const last = await look?.(batch);
		if (last) return { batch: last, because: 'look' };
		const passed = Date.now() - begin;
		if (passed >= timeout) return { batch, because: 'timeIsUp' };
		await pause(
			Math.min(nextInterval(pollInterval, passed), timeout - passed),
			connection.cancelSignal,
		);
		throwIfCancelled(connection);
		const left = timeout - (Date.now() - begin);
		const search = async (polling: Connection) =>
			await findBatch(polling, taskID, String(batch.batchID), listing);
		const found = await poll(connection, batch, search, Math.max(left, lastPollMs));
		if (found.kind === 'batch') batch = found.batch;
		pollsWithoutBatch = found.kind === 'missing' ? pollsWithoutBatch + 1 : 0;
		if (pollsWithoutBatch < maxPollsWithoutBatch || found.kind !== 'missing') continue;
		throw found.error ?? vanished(connection, taskID, batch);
	}
	return { batch, because: 'ended' };
}

/** Milliseconds until the next poll: long runs are asked about less often, at most every minute. */
export function nextInterval(first: number, passed: number): number {
	return Math.max(first, Math.min(passed * intervalGrowth, longestIntervalMs));
}

type Poll =
	| { kind: 'batch'; batch: Batch }
	| { kind: 'missing'; error?: Error }
	/** For a passing reason, however often. */
	| { kind: 'failed' };

/** Looks for the batch, for so many milliseconds at most. */
async function poll(
	connection: Connection,
	{ batchID }: Batch,
	search: (polling: Connection) => Promise<Batch | undefined>,
	longest: number,
): Promise<Poll> {
	const timeIsUp = AbortSignal.timeout(Math.min(Math.ceil(longest), longestTimerMs));
	const found = await search(cancelledBy(connection, timeIsUp)).catch((error: Error) => error);
	if (!(found instanceof Error)) {
		return found ? { kind: 'batch', batch: found } : { kind: 'missing' };
	}
	throwIfCancelled(connection);
	if (timeIsUp.aborted) return { kind: 'failed' };
	if (!(found instanceof NodeApiError || found instanceof PagingError)) throw found;
	if (found instanceof NodeApiError && isPassing(found)) return { kind: 'failed' };
	const goesOn = `Batch ${batchID} was started and goes on: read it later with Get Data by its ID.`;
	found.description = [goesOn, found.description].join('\n');
	if (found instanceof PagingError || mayPass(found)) return { kind: 'missing', error: found };
	throw found;
}

/** No answer, too busy or failing: the next poll may go well. Any other error stays. */
function isPassing(error: NodeApiError): boolean {
	const status = Number(error.httpCode ?? 0);
	return status === 0 || status === 408 || status === 429 || status >= 500;
}

/** A page of maintenance in the service's place, or a task that it cannot find for a moment. */
function mayPass({ context }: NodeApiError): boolean {
	return context.code === undefined || context.code === notFound;
}

function vanished({ node }: Connection, taskID: string, { batchID }: Batch): NodeApiError {
	return new NodeApiError(
		node,
		{},
		{
			message: 'Task or batch not found',
			description: `Batch ${batchID} of task ${taskID} was started, but the service does not list it among its newest batches. Look for it with List Batches; if it is there, read it with Get Data by its ID.`,
		},
	);
}
