import type { NodeOperationError } from 'n8n-workflow';

import { hasEnded, progressOf, statusName } from '../api/batchStatus';
import { describeMore } from '../api/errors';
import type { Listing } from '../api/paging/batches';
import { stopOwnBatch } from '../api/startAndStop/stopOwnBatch';
import { wantedStops } from '../api/startAndStop/wantedStops';
import { waitForEnd } from '../api/waitForEnd';
import type { Batch } from '../api/wire';
import { hint, warn } from '../hints';
import { rememberUnstopped, unstoppedBatch } from '../retryOnFail';
import type { Unstopped } from '../retryOnFail';
import { operationError } from '../run';
import type { Run, WaitOutcome } from '../run';
import { unwatched, usedUp } from '../settings/budgets';
import type { Budget } from '../settings/budgets';
import { failOnStoppedName } from '../settings/waitSettings';
import type { WaitSettings } from '../settings/waitSettings';
import { stopWhenCancelled } from './stopWhenCancelled';

/** A batch that has just begun may soon be over: it is looked at after half a second, one, and two. */
const firstPausesMs = [500, 500, 1_000];

/**
 * Waits for a batch as the user has set it: until it ends, has used up a budget or the time is up; and
 * stops it where that is wanted, once that can hit no batch of anybody else.
 */
export async function waitForBatch(
	run: Run,
	taskID: string,
	begun: Batch,
	wait: WaitSettings,
): Promise<WaitOutcome> {
	const outcome = await waitAsSet(run, taskID, begun, wait);
	const isSeenEnding = hasEnded(outcome.batch) && !hasEnded(begun);
	if (outcome.kind === 'askAgain' || !isSeenEnding) return outcome;
	return { ...outcome, endSeen: performance.now() };
}

async function waitAsSet(
	run: Run,
	taskID: string,
	begun: Batch,
	wait: WaitSettings,
): Promise<WaitOutcome> {
	const endsBy = performance.now() + wait.timeout;
	// Another execution whose start was answered with this batch may wait for all of its rows.
	const endWait = wait.isOwn ? wantedStops(run.connection, taskID).waitFor(begun) : () => {};
	const { batch, because, unseen } = await waitForEnd(run.connection, taskID, begun, {
		...wait,
		firstPauses: wait.isOwn ? firstPausesMs : [],
		isEnough: (each) => usedUp(each, wait.budgets) !== undefined,
		listing: listingOf(wait),
		unwatched: noLongerWatched(wait),
	}).finally(endWait);
	const used = usedUp(batch, wait.budgets);
	if (because === 'enough' && used) {
		return readable(await stopBatch(run, taskID, batch, wait, endsBy, (at) => countOf(at, used)));
	}
	warnOfUnwatched(run, batch, wait);
	// A stop that is wanted is tried all the same: the answers may be wrong.
	if (unseen && wait.onTimeout !== 'stopAndReturn') throw unseen;
	if (because === 'timeIsUp') return await onTimeout(run, taskID, batch, wait);
	noteStatus(run, batch, wait);
	// A later try of the node finds it ended: that it could not be stopped stays an error.
	const earlier = unstoppedBatch(run, String(batch.batchID));
	if (earlier && earlier.hit.length > 0) throw stoppedOthers(run, taskID, batch, earlier);
	if (earlier && statusName(batch) !== 'stopped') throw endedUnstopped(run, taskID, batch, earlier);
	if (used) hint(run, `Batch ${batch.batchID} has ended ${countOf(batch, used)}.`);
	return readable(batch);
}

function readable(batch: Batch): WaitOutcome {
	return { kind: 'readable', batch };
}

/** What the user relies on, and nobody does when the wait ends and the batch goes on. */
function noLongerWatched({ budgets, onTimeout: atTimeout }: WaitSettings): string {
	const names = [
		...budgets.map(({ name, limit }) => `'${name}' (${limit.toLocaleString('en')})`),
		...(atTimeout === 'stopAndReturn' ? ['the timeout at which it was to be stopped'] : []),
	];
	return names.length === 0 ? '' : `No longer watched: ${names.join(', ')}.`;
}

/** Where to look for a batch: one that was started elsewhere may be far back in the list. */
function listingOf({ isOwn }: WaitSettings): Listing | undefined {
	return isOwn ? undefined : {};
}

/** A budget whose count the service does not say is not taken for one that holds. */
function warnOfUnwatched(run: Run, batch: Batch, { budgets }: WaitSettings): void {
	const missed = unwatched(batch, budgets);
	if (!missed) return;
	warn(
		run,
		`The service does not say how many ${missed.counted} batch ${batch.batchID} has used: '${missed.name}' could not be checked.`,
	);
}

/** What the user wants when the batch takes longer than the time-out. */
async function onTimeout(
	run: Run,
	taskID: string,
	batch: Batch,
	wait: WaitSettings,
): Promise<WaitOutcome> {
	const time = timeOf(wait.timeout);
	const nobodyWatches = noLongerWatched(wait);
	if (wait.onTimeout === 'askAgain') {
		if (nobodyWatches) warn(run, nobodyWatches);
		return { kind: 'askAgain', batch, after: time };
	}
	if (wait.onTimeout === 'error') {
		const advice = wait.isOwn ? "a longer timeout, or another 'On Timeout'" : 'a longer timeout';
		const goesOn = `Batch ${batch.batchID} is still running. Read its rows later with Get Data by its ID, or stop the task.`;
		throw operationError(
			run,
			`The batch did not finish within ${time}`,
			[goesOn, nobodyWatches, `Set ${advice}.`].filter(Boolean).join(' '),
		);
	}
	if (wait.onTimeout === 'return') {
		const goesOn = `Batch ${batch.batchID} is ${progressOf(batch)} after ${time}.`;
		warn(run, nobodyWatches ? `${goesOn} ${nobodyWatches}` : goesOn);
		return readable(batch);
	}
	return readable(
		await stopBatch(run, taskID, batch, wait, performance.now(), () => `after ${time}`),
	);
}

/** Throws when a batch of the task could not be stopped that was to be: one more would cost even more. */
export function refuseAfterUnstopped(run: Run, taskID: string): void {
	const earlier = unstoppedBatch(run, taskID);
	if (!earlier) return;
	const [hit] = earlier.hit;
	const became = hit === undefined ? 'could not be' : `batch ${hit} was stopped instead`;
	throw operationError(
		run,
		`Task ${taskID} was not started again: batch ${earlier.batchID} should have been stopped, but ${became}`,
		'Check List Batches, stop the task if the batch is still running, and run the node again for the remaining items.',
	);
}

/**
 * Stops a batch, and says what came of it. One that could not be stopped is an error, also when it has ended
 * by itself meanwhile, and keeps the node from starting its task once more. `when` goes on after "It was stopped".
 */
async function stopBatch(
	run: Run,
	taskID: string,
	begun: Batch,
	wait: WaitSettings,
	endsBy: number,
	when: (batch: Batch) => string,
): Promise<Batch> {
	const options = { endsBy, pollInterval: wait.pollInterval };
	const result = await stopWhenCancelled(
		run,
		// The wish outlives the execution, unless a cancel stops the batch anyway.
		{ ...options, taskID, start: Promise.resolve(begun), isStopped: !wait.stopOnCancel },
		async () => await stopOwnBatch(run.connection, taskID, begun, options),
	);
	const { batch } = result;
	const why = result.kind === 'goesOn' ? result.why : result.whyNotBefore;
	const { hit: hitBefore = [] } = unstoppedBatch(run, String(batch.batchID)) ?? {};
	const hit = [...new Set([...hitBefore, ...result.strangers])];
	const unstopped = { batchID: batch.batchID, why, when, hit };
	if (hit.length > 0) {
		rememberUnstopped(run, taskID, unstopped);
		throw stoppedOthers(run, taskID, batch, unstopped);
	}
	if (result.kind === 'stopped') {
		hint(
			run,
			`Batch ${batch.batchID} was stopped ${when(batch)}.${overshoot(batch, wait, result.delay)}`,
		);
		return batch;
	}
	if (result.kind === 'ended') noteStatus(run, batch, wait);
	// Somebody else's stop is what was wanted, too.
	if (statusName(batch) === 'stopped') return batch;
	if (why === undefined) {
		hint(run, `Batch ${batch.batchID} has ended ${when(batch)}.`);
		return batch;
	}
	rememberUnstopped(run, taskID, unstopped);
	if (result.kind !== 'goesOn') throw endedUnstopped(run, taskID, batch, unstopped);
	const { error } = result;
	const goesOn = `Batch ${batch.batchID} of task ${taskID} could not be stopped ${when(batch)}, and is still running`;
	const advice = 'Check List Batches, and stop the task if none of its other batches is running.';
	if (!error) throw operationError(run, goesOn, `It was not stopped: ${why}. ${advice}`);
	describeMore(error, `${goesOn}. ${advice}`, 'first');
	throw error;
}

/** The error for a stop that has hit batches of somebody else, whatever has become of ours. */
function stoppedOthers(
	run: Run,
	taskID: string,
	batch: Batch,
	{ why, when, hit }: Unstopped,
): NodeOperationError {
	const others = `batch ${hit.join(', ')}`;
	const state = hasEnded(batch)
		? `is ${statusName(batch)}`
		: `could not be stopped ${when(batch)}, and is still running: ${why}. Check List Batches, and stop the task if none of its other batches is running`;
	return operationError(
		run,
		`To stop batch ${batch.batchID}, the service stopped ${others} of task ${taskID}`,
		`Someone else started ${others}: tell them, or start the task again for them. Batch ${batch.batchID} ${state}. Get Data reads the rows of each by its ID.`,
	);
}

/** The error for a batch that was to be stopped, and has ended by itself. */
function endedUnstopped(
	run: Run,
	taskID: string,
	batch: Batch,
	{ why, when }: Unstopped,
): NodeOperationError {
	return operationError(
		run,
		`Batch ${batch.batchID} of task ${taskID} could not be stopped ${when(batch)}, and has ended by itself`,
		`It was not stopped: ${why}. Its status is ${statusName(batch)}. Get Data reads its rows by its ID.`,
	);
}

/** e.g. `at 1,204 rows (Stop at Rows: 1,000)`. */
function countOf(batch: Batch, { count, counted, name, limit }: Budget): string {
	const reached = Number(batch[count]).toLocaleString('en');
	return `at ${reached} ${counted} (${name}: ${limit.toLocaleString('en')})`;
}

/** Why more was used than a budget allows; nothing where it was not. */
function overshoot(batch: Batch, { budgets }: WaitSettings, delay?: string): string {
	const exceeded = budgets.find(({ count, limit }) => Number(batch[count]) > limit);
	if (!exceeded) return '';
	const why = delay
		? `it could not be stopped immediately: ${delay}.`
		: "the batch is checked at each poll ('Poll Interval'), and stopping takes a moment.";
	return ` It went beyond '${exceeded.name}': ${why}`;
}

/** e.g. `1 minute`, `90 seconds`. */
function timeOf(milliseconds: number): string {
	const isMinutes = milliseconds % 60_000 === 0 || milliseconds > 120_000;
	const count = milliseconds / (isMinutes ? 60_000 : 1_000);
	return `${count} ${isMinutes ? 'minute' : 'second'}${count === 1 ? '' : 's'}`;
}

/** A batch that someone else has stopped is an error where that is wanted. */
function noteStatus(run: Run, batch: Batch, { isOwn, failOnStopped }: WaitSettings): void {
	const status = statusName(batch);
	if (status === 'successful') return;
	if (status !== 'stopped') {
		hint(run, `Batch ${batch.batchID} ended with the status '${status}'.`);
		return;
	}
	if (!failOnStopped) {
		const advice = isOwn ? ` '${failOnStoppedName}' makes that an error.` : '';
		warn(run, `Someone stopped batch ${batch.batchID}: rows may be missing.${advice}`);
		return;
	}
	throw operationError(
		run,
		`Batch ${batch.batchID} was stopped`,
		`Someone else stopped the task. Read its rows so far with Get Data by its ID, or turn off '${failOnStoppedName}'.`,
	);
}
