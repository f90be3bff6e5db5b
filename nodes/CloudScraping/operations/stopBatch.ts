import type { NodeOperationError } from 'n8n-workflow';

import { hasEnded, statusName } from '../api/batchStatus';
import { describeMore } from '../api/errors';
import { stopOwnBatch } from '../api/startAndStop/stopOwnBatch';
import type { Batch } from '../api/wire';
import { hint, warn } from '../hints';
import { rememberUnstopped, unstoppedBatch } from '../retryOnFail';
import type { Unstopped } from '../retryOnFail';
import { operationError } from '../run';
import type { Run } from '../run';
import { usedUp } from '../settings/budgets';
import type { WaitSettings } from '../settings/waitSettings';
import { noteEnd } from './noteEnd';
import { stopWhenCancelled } from './stopWhenCancelled';

/**
 * Stops a batch, and says what came of it. One that could not be stopped is an error, also when it has ended
 * by itself meanwhile, and keeps the node from starting its task once more. `when` goes on after "It was stopped".
 */
export async function stopBatch(
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
		noteStopped(run, batch, when(batch), lateness(batch, wait, result.delay));
		return batch;
	}
	if (result.kind === 'ended') noteEnd(run, batch, wait);
	// Somebody else's stop is what was wanted, too.
	if (statusName(batch) === 'stopped') return batch;
	if (why === undefined) {
		noteEndedWhen(run, batch, when(batch));
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

function noteStopped(run: Run, { batchID }: Batch, when: string, late?: string): void {
	const stopped = `Batch ${batchID} was stopped ${when}.`;
	warn(run, late === undefined ? stopped : `${stopped} It ${late}`, {
		kind: 'batch',
		id: batchID,
		all: 'were stopped',
		each: when,
		advice: late && `Each ${late}`,
	});
}

/** Says that a batch has ended by itself that was to be stopped; `when` goes on after that. */
export function noteEndedWhen(run: Run, { batchID }: Batch, when: string): void {
	const of = { kind: 'batch', id: batchID, all: 'have ended', each: when } as const;
	hint(run, `Batch ${batchID} has ended ${when}.`, of);
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

/** The error for a stop that has hit batches of somebody else, whatever has become of ours. */
export function stoppedOthers(
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
export function endedUnstopped(
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

/** That it was stopped later than it was to be, and more was used than a budget allows, and why; after "It". */
function lateness(batch: Batch, { budgets }: WaitSettings, delay?: string): string | undefined {
	const exceeded = budgets.find(({ count, limit }) => Number(batch[count]) > limit);
	const isLate = delay !== undefined && usedUp(batch, budgets) === undefined;
	if (!exceeded) return isLate ? `could not be stopped immediately: ${delay}.` : undefined;
	const why = delay
		? `it could not be stopped immediately: ${delay}.`
		: "the batch is checked at each poll ('Poll Interval'), and stopping takes a moment.";
	return `went beyond '${exceeded.name}': ${why}`;
}
