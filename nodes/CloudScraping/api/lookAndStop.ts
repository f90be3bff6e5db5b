import { NodeApiError } from 'n8n-workflow';

import { readBatchPages } from './batchPages';
import type { Progress } from './batchPages';
import { hasEnded, statusName } from './batches';
import { throwIfCancelled } from './cancel';
import type { Connection } from './connection';
import { rejectsKeyForGood } from './errors';
import { requestStop } from './startAndStop';
import { wantedStops } from './wantedStops';
import type { Batch, WireInteger } from './wire';

/** The whole list is read, so in few requests. */
const batchesPerPage = 500;

/** Our run could not be stopped now. `why` goes on after "It was not stopped: ". */
export interface NotStopped {
	kind: 'goesOn';
	why: string;
	error?: NodeApiError;
	/** What became of a stop that was sent, when that may still end our run or was not needed any more. */
	sent?: 'accepted' | 'failed';
	/** Trying again would not help. */
	isFinal?: boolean;
	/** A run that the service has stopped, although nobody here wanted that. */
	hit?: WireInteger;
}

/**
 * What came of looking at the runs of a task once, and stopping ours where no stranger's could be hit.
 * `accepted`: the service says that it stops one of ours; whether it does so, the next look tells.
 */
export type Look = (NotStopped | { kind: 'stopped' | 'ended' | 'accepted' }) & { batch: Batch };

/**
 * Looks at the whole list of batches, and stops the task when ours has not ended and this process wants
 * every run stopped that goes on. Only the list says that a run has ended, no answer to a stop does.
 */
export async function lookAndStop(
	connection: Connection,
	taskID: string,
	own: Batch,
): Promise<Look> {
	throwIfCancelled(connection);
	const wanted = wantedStops(connection, taskID);
	const runs = await listRuns(connection, taskID, own).catch((error: Error) => error);
	throwIfCancelled(connection);
	if (runs instanceof Error) {
		const why = `the batches of the task could not be listed (${runs.message})`;
		return { ...notStopped(own, why, runs), isFinal: rejectsKeyForGood(runs) };
	}
	const { ours, running, came, counted } = runs;
	if (!ours) return notStopped(own, 'the service does not list it');
	if (hasEnded(ours)) {
		const isOurStop = statusName(ours) === 'stopped' && wanted.isAsked(ours);
		return { kind: isOurStop ? 'stopped' : 'ended', batch: ours };
	}
	const other = running.find((batch) => !wanted.isWanted(batch));
	if (other) {
		const state = `batch ${other.batchID} of the task is ${statusName(other)}, too`;
		return notStopped(ours, `${state}, and a stop could hit that one`);
	}
	if (came !== counted) {
		const counts = `the service counts ${counted} batches of the task, but lists ${came}`;
		return notStopped(ours, `${counts}, and a stop could hit one of the others`);
	}
	if (wanted.isAccepted(ours)) {
		const why = 'the service has accepted a stop, but has not ended it yet';
		return { ...notStopped(ours, why), sent: 'accepted' };
	}
	return await stop(connection, taskID, ours, running);
}

async function stop(
	connection: Connection,
	taskID: string,
	ours: Batch,
	running: Batch[],
): Promise<Look> {
	const wanted = wantedStops(connection, taskID);
	wanted.ask(running);
	const stopped = await requestStop(connection, taskID).catch((error: Error) => error);
	throwIfCancelled(connection);
	// It may have ended by itself just before, or the answer was lost on its way: the next look tells.
	if (stopped instanceof Error) {
		const why = `the stop failed (${stopped.message})`;
		return { ...notStopped(ours, why, stopped), sent: 'failed' };
	}
	const isNews = !wanted.isAccepted(stopped);
	if (isNews) wanted.accept(stopped);
	if (!running.some(({ batchID }) => String(batchID) === String(stopped.batchID))) {
		const why = `the service has stopped batch ${stopped.batchID} of the task instead`;
		return { ...notStopped(ours, why), hit: stopped.batchID };
	}
	// One that was accepted before is chosen again where the service takes its time for it.
	return isNews
		? { kind: 'accepted', batch: ours }
		: notStopped(ours, `the service is still stopping batch ${stopped.batchID} of the task`);
}

function notStopped(batch: Batch, why: string, error?: Error): NotStopped & { batch: Batch } {
	return { kind: 'goesOn', batch, why, ...(error instanceof NodeApiError && { error }) };
}

/** Our batch as it is listed, all that have not ended, and how many there are. */
async function listRuns(
	connection: Connection,
	taskID: string,
	own: Batch,
): Promise<{ ours?: Batch; running: Batch[] } & Progress> {
	const wanted = wantedStops(connection, taskID);
	let ours: Batch | undefined;
	const running: Batch[] = [];
	let progress: Progress = { came: 0, counted: 0 };
	for await (const page of readBatchPages(connection, taskID, { pageSize: batchesPerPage })) {
		for (const batch of page.batches) {
			if (String(batch.batchID) === String(own.batchID)) ours = batch;
			if (!hasEnded(batch)) running.push(batch);
		}
		progress = { came: page.came, counted: page.counted };
		// Nothing behind it changes what comes of this look.
		if (ours && (hasEnded(ours) || !running.every((batch) => wanted.isWanted(batch)))) break;
	}
	return { ours, running, ...progress };
}
