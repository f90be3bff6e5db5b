import { readBatchPages } from './batchPages';
import type { Progress } from './batchPages';
import { findBatch, hasEnded, statusName } from './batches';
import { throwIfCancelled } from './cancel';
import type { Connection } from './connection';
import { requestStop } from './startAndStop';
import type { Batch } from './wire';

/** The whole list is read, so in few requests. */
const batchesPerPage = 500;

/** What became of the wish to stop a run, and the batch as it was seen last. */
export type StopResult =
	| { kind: 'stopped' | 'ended'; batch: Batch }
	/** `why` goes on after "It was not stopped: ". */
	| { kind: 'leftAlone'; batch: Batch; why: string };

/** A stop that was accepted so long ago, in milliseconds, is not being carried out any more. */
const acceptedForMs = 3_600_000;

class AcceptedStops {
	readonly #times = new Map<string, number>();

	add(run: string): void {
		for (const [key, time] of this.#times) {
			if (Date.now() - time > acceptedForMs) this.#times.delete(key);
		}
		this.#times.set(run, Date.now());
	}

	has(run: string): boolean {
		return Date.now() - (this.#times.get(run) ?? -Infinity) <= acceptedForMs;
	}
}

/** Stops under way, by service and task: between a look and its stop no other stop may come. */
const stopping = new Map<string, Promise<unknown>>();

/** Runs that a service has promised to stop, for as long as that may take. */
const accepted = new AcceptedStops();

/**
 * Stops a run of ours, and no other one. The API stops "the task" and leaves open which of its runs
 * that is (section 4.2), so a stop is sent only when the whole list of batches shows that ours has not
 * ended and that it is the only one. In any doubt all is left alone, and the result says why. Throws
 * when the service does not carry out the stop.
 */
export async function stopOwnRun(
	connection: Connection,
	taskID: string,
	own: Batch,
): Promise<StopResult> {
	const key = `${connection.baseUrl.href} ${taskID}`;
	const before = stopping.get(key) ?? Promise.resolve();
	const result = before.then(async () => await lookAndStop(connection, taskID, own));
	const settled = result.catch(() => {});
	stopping.set(key, settled);
	void settled.then(() => {
		if (stopping.get(key) === settled) stopping.delete(key);
	});
	return await result;
}

async function lookAndStop(
	connection: Connection,
	taskID: string,
	own: Batch,
): Promise<StopResult> {
	throwIfCancelled(connection);
	const key = [connection.baseUrl.href, taskID, own.batchID].join(' ');
	const leftAlone = (why: string, batch = own): StopResult => ({ kind: 'leftAlone', batch, why });
	const runs = await listRuns(connection, taskID, own).catch((error: Error) => error);
	throwIfCancelled(connection);
	if (runs instanceof Error) {
		return leftAlone(`the batches of the task could not be listed (${runs.message})`);
	}
	const { ours, other, came, counted } = runs;
	if (!ours) return leftAlone('the service does not list it');
	if (hasEnded(ours)) return { kind: 'ended', batch: ours };
	if (other) {
		return leftAlone(
			`batch ${other.batchID} of the task is ${statusName(other)}, too, and a stop could hit that one`,
			ours,
		);
	}
	if (came !== counted) {
		return leftAlone(
			`the service counts ${counted} batches of the task, but lists ${came}, and a stop could hit one of the others`,
			ours,
		);
	}
	// The service may take its time: a second stop would hit the run that comes next.
	if (accepted.has(key)) return { kind: 'stopped', batch: ours };
	const stopped = await requestStop(connection, taskID).catch((error: Error) => error);
	if (stopped instanceof Error) {
		// It may have ended by itself just before, or the answer was lost on its way.
		const last = await findBatch(connection, taskID, String(own.batchID)).catch(() => undefined);
		if (!last || !hasEnded(last)) throw stopped;
		return { kind: statusName(last) === 'stopped' ? 'stopped' : 'ended', batch: last };
	}
	if (String(stopped.batchID) === String(own.batchID)) {
		accepted.add(key);
		return { kind: 'stopped', batch: { ...ours, ...stopped } };
	}
	// A run that began after the list was read.
	return leftAlone(`the service has stopped batch ${stopped.batchID} of the task instead`, ours);
}

/** Our batch as it is listed, one of others that has not ended, and how many there are. */
async function listRuns(
	connection: Connection,
	taskID: string,
	own: Batch,
): Promise<{ ours?: Batch; other?: Batch } & Progress> {
	let ours: Batch | undefined;
	let other: Batch | undefined;
	let progress: Progress = { came: 0, counted: 0 };
	for await (const page of readBatchPages(connection, taskID, { pageSize: batchesPerPage })) {
		for (const batch of page.batches) {
			if (String(batch.batchID) === String(own.batchID)) ours = batch;
			else if (!hasEnded(batch)) other = batch;
		}
		progress = { came: page.came, counted: page.counted };
		if (ours && other) break;
	}
	return { ours, other, ...progress };
}
