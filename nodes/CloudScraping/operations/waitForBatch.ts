import { hasEnded, progressOf, statusName } from '../api/batchStatus';
import type { Listing } from '../api/paging/batches';
import { wantedStops } from '../api/startAndStop/wantedStops';
import { waitForEnd } from '../api/waitForEnd';
import type { Batch } from '../api/wire';
import { warn } from '../hints';
import { unstoppedBatch } from '../retryOnFail';
import { operationError } from '../run';
import type { Run, WaitOutcome } from '../run';
import { unwatched, usedUp } from '../settings/budgets';
import type { Budget } from '../settings/budgets';
import type { WaitSettings } from '../settings/waitSettings';
import { noteEnd } from './noteEnd';
import { endedUnstopped, noteEndedWhen, stopBatch, stoppedOthers } from './stopBatch';

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
	noteEnd(run, batch, wait);
	// A later try of the node finds it ended: that it could not be stopped stays an error.
	const earlier = unstoppedBatch(run, String(batch.batchID));
	if (earlier && earlier.hit.length > 0) throw stoppedOthers(run, taskID, batch, earlier);
	if (earlier && statusName(batch) !== 'stopped') throw endedUnstopped(run, taskID, batch, earlier);
	if (used) noteEndedWhen(run, batch, countOf(batch, used));
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
		{
			kind: 'batch',
			id: batch.batchID,
			all: `could not be checked for '${missed.name}', because the service does not say how many ${missed.counted} they have used`,
		},
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
		warn(run, nobodyWatches ? `${goesOn} ${nobodyWatches}` : goesOn, {
			kind: 'batch',
			id: batch.batchID,
			all: 'have not ended',
			each: `${progressOf(batch)} after ${time}`,
			advice: nobodyWatches || undefined,
		});
		return readable(batch);
	}
	return readable(
		await stopBatch(run, taskID, batch, wait, performance.now(), () => `after ${time}`),
	);
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
