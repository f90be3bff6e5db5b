import { NodeApiError } from 'n8n-workflow';

import { findBatch, hasEnded } from './batches';
import { throwIfCancelled } from './connection';
import type { Connection } from './connection';
import { pause } from './pause';
import type { Batch } from './types';

const LONGEST_INTERVAL_MS = 60_000;

/** Share of the time that has passed to wait until the next poll: 10 s after 100 s. */
const INTERVAL_GROWTH = 0.1;

/** Polls in a row that may not show a batch that was started, before it counts as gone. */
const MAX_POLLS_WITHOUT_BATCH = 10;

/** Batches a poll asks for; ours is the newest or close to it. */
const BATCHES_PER_POLL = 20;

export interface WaitOptions {
	/** First interval between polls, in milliseconds. */
	pollInterval: number;
	/** How long to wait, in milliseconds. */
	timeout: number;
}

export interface WaitResult {
	/** The batch as it was seen last. */
	batch: Batch;
	ended: boolean;
}

/**
 * Waits until this very batch has ended, or the time is up. A poll that fails for a passing reason is
 * not fatal: the run goes on without us. Throws on other errors and when the user cancels.
 */
export async function waitForEnd(
	connection: Connection,
	started: Batch,
	{ pollInterval, timeout }: WaitOptions,
): Promise<WaitResult> {
	const begin = Date.now();
	let batch = started;
	let pollsWithoutBatch = 0;
	while (!hasEnded(batch)) {
		const passed = Date.now() - begin;
		if (passed >= timeout) return { batch, ended: false };
		await pause(
			Math.min(nextInterval(pollInterval, passed), timeout - passed),
			connection.cancelSignal,
		);
		throwIfCancelled(connection);
		const found = await poll(connection, batch);
		if (found.kind === 'batch') batch = found.batch;
		pollsWithoutBatch = found.kind === 'missing' ? pollsWithoutBatch + 1 : 0;
		if (pollsWithoutBatch >= MAX_POLLS_WITHOUT_BATCH) throw vanished(connection, batch);
	}
	return { batch, ended: true };
}

/** Milliseconds until the next poll: long runs are asked about less often, at most every minute. */
export function nextInterval(first: number, passed: number): number {
	return Math.max(first, Math.min(passed * INTERVAL_GROWTH, LONGEST_INTERVAL_MS));
}

type Poll = { kind: 'batch'; batch: Batch } | { kind: 'missing' } | { kind: 'failed' };

async function poll(connection: Connection, { batchID, taskID }: Batch): Promise<Poll> {
	const found = await findBatch(connection, taskID, String(batchID), BATCHES_PER_POLL).catch(
		(error: unknown) => (isPassing(error) ? 'failed' : Promise.reject(asError(error))),
	);
	if (found === 'failed') return { kind: 'failed' };
	return found ? { kind: 'batch', batch: found } : { kind: 'missing' };
}

/** No answer, too busy or failing: the next poll may go well. Any other error stays. */
function isPassing(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	const status = Number(error.httpCode ?? 0);
	return status === 0 || status === 408 || status === 429 || status >= 500;
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}

function vanished({ node }: Connection, { batchID, taskID }: Batch): NodeApiError {
	return new NodeApiError(
		node,
		{},
		{
			message: 'Task or batch not found',
			description: `Batch ${batchID} of task ${taskID} was started, but the service does not list it any more.`,
		},
	);
}
