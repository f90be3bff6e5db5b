import { NodeOperationError } from 'n8n-workflow';

import type { Listing } from '../api/batchPages';
import { findBatch, hasEnded, progressOf, statusName } from '../api/batches';
import { throwIfCancelled } from '../api/cancel';
import { describeMore } from '../api/errors';
import { stopOwnRun } from '../api/stopOwnRun';
import { waitForEnd } from '../api/waitForEnd';
import type { Batch } from '../api/wire';
import { hint, warn } from '../hints';
import { leftRunningBatch, rememberLeftRunning } from '../retryOnFail';
import type { Run, Waited } from '../run';
import { unwatched, usedUp } from '../settings/budgets';
import type { Budget } from '../settings/budgets';
import { invalid } from '../settings/fieldValues';
import type { WaitSettings } from '../settings/waitSettings';

/** Looks at a run beyond its budget that may not be stopped yet, because another run of the task goes on. */
const mostLooks = 4;

/** Milliseconds for a run to end that the service has promised to stop. */
const stopTakesMs = 60_000;

/**
 * Waits for a run as the user has set it: until it ends, has used up a budget or the time is up; and
 * stops it where that is wanted and hits no other run.
 */
export async function waitForRun(
	run: Run,
	taskID: string,
	begun: Batch,
	wait: WaitSettings,
): Promise<Waited> {
	let looks = 0;
	const look = async (batch: Batch) => {
		const used = usedUp(batch, wait.budgets);
		if (!used) return undefined;
		looks++;
		return await stopRun(run, taskID, batch, wait, {
			when: (each) => countOf(each, used),
			isLastTry: looks >= mostLooks,
		});
	};
	const options = { ...wait, look, listing: listingOf(wait) };
	const { batch, because } = await waitForEnd(run.connection, taskID, begun, options);
	if (because === 'look') return { batch };
	warnOfUnwatched(run, batch, wait);
	if (because === 'timeIsUp') return await onTimeout(run, taskID, batch, wait);
	noteStatus(run, batch, wait);
	const used = usedUp(batch, wait.budgets);
	if (used) hint(run, `Batch ${batch.batchID} has ended ${countOf(batch, used)}.`);
	return { batch };
}

/** Where to look for a run: one that was started elsewhere may be far back in the list. */
function listingOf({ isOwn }: WaitSettings): Listing | undefined {
	return isOwn ? undefined : {};
}

/** A budget whose count the service does not say is not taken for one that holds. */
function warnOfUnwatched(run: Run, batch: Batch, { budgets }: WaitSettings): void {
	const missed = unwatched(batch, budgets);
	if (!missed) return;
	warn(
		run,
		`The service does not say how many ${missed.counted} batch ${batch.batchID} has used: "${missed.name}" could not be watched.`,
	);
}

/** What the user wants when the run takes longer than the time-out. */
async function onTimeout(
	run: Run,
	taskID: string,
	batch: Batch,
	wait: WaitSettings,
): Promise<Waited> {
	const time = timeOf(wait.timeout);
	if (wait.onTimeout === 'askAgain') return { batch, goesOnAfter: time };
	if (wait.onTimeout === 'error') {
		const advice = wait.isOwn ? 'a longer timeout, or another "On Timeout"' : 'a longer timeout';
		throw new NodeOperationError(run.context.getNode(), `The run has not ended within ${time}`, {
			itemIndex: run.itemIndex,
			description: `Batch ${batch.batchID} goes on: read it later with Get Data by its ID, or stop the task. Set ${advice}.`,
		});
	}
	if (wait.onTimeout === 'return') {
		hint(run, `Batch ${batch.batchID} is ${progressOf(batch)} after ${time}.`);
		return { batch };
	}
	const how = { when: () => `after ${time}`, isLastTry: true };
	return { batch: (await stopRun(run, taskID, batch, wait, how)) ?? batch };
}

/** Throws when a run of the task goes on that was to be stopped: one more would cost even more. */
export async function refuseBesideLeftRunning(run: Run, taskID: string): Promise<void> {
	const left = leftRunningBatch(run, taskID);
	if (!left) return;
	const now = await findBatch(run.connection, taskID, String(left.batchID));
	if (now && hasEnded(now)) return;
	throw invalid(
		run,
		`Task ${taskID} is not started again: batch ${left.batchID} goes on, though it was to be stopped`,
		'Look at List Batches, stop the task, and execute the node again for the items that are left.',
	);
}

/**
 * Stops a run where that hits no other one, and says what came of it. Resolves to undefined where it may
 * be tried again; a run that is left going on keeps the node from starting its task once more.
 */
async function stopRun(
	run: Run,
	taskID: string,
	batch: Batch,
	wait: WaitSettings,
	{ when, isLastTry }: { when: (batch: Batch) => string; isLastTry: boolean },
): Promise<Batch | undefined> {
	const name = `Batch ${batch.batchID}`;
	const result = await stopOwnRun(run.connection, taskID, batch).catch(async (error: Error) => {
		throwIfCancelled(run.connection);
		if (!isLastTry) return undefined;
		rememberLeftRunning(run, taskID, batch);
		const advice = `${name} of task ${taskID} could not be stopped ${when(batch)}, and may go on: look at List Batches.`;
		describeMore(error, advice, 'first');
		return await Promise.reject(error);
	});
	if (!result) return undefined;
	if (result.kind === 'ended') noteStatus(run, result.batch, wait);
	if (result.kind === 'stopped') {
		// Its last rows may still be on their way.
		const options = { ...wait, timeout: stopTakesMs, listing: listingOf(wait) };
		const last = await waitForEnd(run.connection, taskID, result.batch, options);
		if (last.because === 'ended') hint(run, `${name} was stopped ${when(result.batch)}.`);
		else {
			rememberLeftRunning(run, taskID, batch);
			warn(
				run,
				`${name} is still ${statusName(last.batch)}, though the service has accepted its stop ${when(result.batch)} and ${timeOf(stopTakesMs)} ago.`,
			);
		}
		return last.batch;
	}
	if (result.kind === 'leftAlone') {
		if (!isLastTry) return undefined;
		rememberLeftRunning(run, taskID, batch);
		const state = `${statusName(result.batch)} ${when(result.batch)}`;
		warn(run, `${name} is ${state}. It was not stopped: ${result.why}.`);
	}
	return result.batch;
}

/** e.g. `at 1,204 rows (Stop at Rows: 1,000)`. */
function countOf(batch: Batch, { count, counted, name, limit }: Budget): string {
	const reached = Number(batch[count]).toLocaleString('en');
	return `at ${reached} ${counted} (${name}: ${limit.toLocaleString('en')})`;
}

/** e.g. `1 minute`, `90 seconds`. */
function timeOf(milliseconds: number): string {
	const isMinutes = milliseconds % 60_000 === 0 || milliseconds > 120_000;
	const count = milliseconds / (isMinutes ? 60_000 : 1_000);
	return `${count} ${isMinutes ? 'minute' : 'second'}${count === 1 ? '' : 's'}`;
}

/** A run that someone else has stopped is an error where that is wanted. */
function noteStatus(run: Run, batch: Batch, { failOnStopped }: WaitSettings): void {
	const status = statusName(batch);
	if (status === 'successful') return;
	if (status !== 'stopped' || !failOnStopped) {
		hint(run, `Batch ${batch.batchID} has ended, but not as successful: it is ${status}.`);
		return;
	}
	throw new NodeOperationError(run.context.getNode(), `Batch ${batch.batchID} was stopped`, {
		itemIndex: run.itemIndex,
		description:
			'Someone else stopped the task. Its rows so far can be read with Get Data by its ID, or switch off "Fail on Stopped".',
	});
}
