import { NodeApiError } from 'n8n-workflow';

import { hasEnded, saysEnd, statusName } from '../batchStatus';
import { throwIfCancelled } from '../cancel';
import type { Connection } from '../connection';
import { provesNotStopped, rejectsKeyForGood } from '../errors';
import { readBatchPages } from '../paging/batches';
import type { Progress } from '../paging/batches';
import { decimalIn } from '../wire';
import type { Batch, WireInteger } from '../wire';
import { requestStop } from './requests';
import { unansweredStarts } from './unanswered';
import { wantedStops } from './wantedStops';
import type { CountBefore, SentStop } from './wantedStops';

/** The whole list is read, so in few requests. */
const batchesPerPage = 500;

/** For so many milliseconds in all, starts of this process hold up a stop that is wanted. */
const maxHeldUpMs = 60_000;

/** Our batch could not be stopped now. `why` goes on after "It was not stopped: ". */
export interface NotStopped {
	kind: 'goesOn';
	why: string;
	error?: NodeApiError;
	/** Whether a stop was sent that may still end our batch, or have ended it; and whether its answer was that it does. */
	isSent?: boolean;
	isAccepted?: boolean;
	/** Only a start of this process holds it up. */
	isHeldUp?: boolean;
	/** Trying again would not help. */
	isFinal?: boolean;
	/** A batch that the service has stopped, although nobody here wanted that. */
	hit?: WireInteger;
}

/**
 * What came of looking at the batches of a task once, and stopping ours where no stranger's could be hit.
 * `accepted`: the service says that it stops one of ours; whether it does so, the next look tells.
 */
export type Look = (NotStopped | { kind: 'stopped' | 'ended' | 'accepted' }) & { batch: Batch };

/**
 * Looks at the whole list of batches, and stops the task when ours has not ended and this process wants
 * every batch stopped that goes on. Only the list says that a batch has ended, no answer to a stop does. Starts
 * of this process hold its stop up, until it has been held up for so many milliseconds.
 */
export async function lookAndStop(
	connection: Connection,
	taskID: string,
	own: Batch,
	heldUpMs = 0,
): Promise<Look> {
	throwIfCancelled(connection);
	const wanted = wantedStops(connection, taskID);
	const list = await readNewList(connection, taskID, own).catch((error: Error) => error);
	throwIfCancelled(connection);
	if (list instanceof Error) {
		const why = `the batches of the task could not be listed (${list.message})`;
		return { ...notStopped(own, why, list), isFinal: rejectsKeyForGood(list) };
	}
	const { listed } = list;
	const ours = listed.get(String(own.batchID));
	wanted.noteListed(own, ours !== undefined);
	if (!ours) return notStopped(own, 'the service does not list it');
	if (hasEnded(ours)) {
		const isOurStop = statusName(ours) === 'stopped' && wanted.isAsked(ours);
		return { kind: isOurStop ? 'stopped' : 'ended', batch: ours };
	}
	const doubt = wanted.doubtOf(ours);
	if (doubt !== undefined) return { ...notStopped(ours, doubt), isFinal: true };
	if (wanted.isWaitedFor(ours)) {
		return notStopped(ours, 'another execution of this n8n process is waiting for its rows');
	}
	const other = wanted.strangerGoingOn();
	if (other) {
		const is = listed.has(String(other.batchID)) ? 'is' : 'was a moment ago';
		const state = `batch ${other.batchID} of the task ${is} ${statusName(other)}, too`;
		return notStopped(ours, `${state}, and a stop could hit that one`);
	}
	if (list.isOlder) {
		return notStopped(
			ours,
			'the service has listed more rows of it before, so its list is out of date',
		);
	}
	if (isIncomplete(list, wanted.countBefore(ours))) {
		const counts = `the service counts ${list.counted} batches of the task, but lists ${list.came}`;
		return notStopped(ours, `${counts}, and a stop could hit one of the others`);
	}
	const sent = wanted.sentTo(ours);
	if (sent) {
		const { why, error, isAccepted } = sent;
		return { ...notStopped(ours, why, error), isSent: true, isAccepted };
	}
	// One stop at a time: as long as a batch is listed that one may have ended, the list may be older than it.
	const stopping = running(listed).find((batch) => wanted.sentTo(batch));
	if (stopping) {
		return notStopped(ours, `the service is still stopping batch ${stopping.batchID} of the task`);
	}
	if (unansweredStarts.has(connection, taskID) && heldUpMs < maxHeldUpMs) {
		const why = 'this n8n process is starting the task, and a stop could hit that batch';
		return { ...notStopped(ours, why), isHeldUp: true };
	}
	return await stop(connection, taskID, ours, listed);
}

/**
 * Sends a stop, which may hit any of the batches that go on. It counts as sent to each of them until its
 * answer says which one it has hit, or that it was not carried out.
 */
async function stop(
	connection: Connection,
	taskID: string,
	ours: Batch,
	listed: Listed,
): Promise<Look> {
	const wanted = wantedStops(connection, taskID);
	const sent: SentStop = { at: performance.now(), why: 'a stop has not been answered yet' };
	wanted.ask(running(listed), sent);
	// A batch that has begun in a pause between two tries would be the one that the next try hits.
	const mayGoOn = () => !unansweredStarts.has(connection, taskID) && !wanted.strangerGoingOn();
	const stopped = await requestStop(connection, taskID, mayGoOn).catch((error: Error) => error);
	sent.at = performance.now();
	if (stopped instanceof Error) {
		const isSent = !provesNotStopped(stopped);
		if (!isSent) wanted.spare(running(listed));
		throwIfCancelled(connection);
		Object.assign(sent, { why: `the stop failed (${stopped.message})`, error: stopped });
		return { ...notStopped(ours, sent.why, stopped), isSent };
	}
	const before = stopped && listed.get(String(stopped.batchID));
	if (stopped && (!before || hasEnded(before))) {
		sent.why = `the service has answered a stop with batch ${stopped.batchID} of the task`;
		const hit = before ? undefined : stopped.batchID;
		return { ...notStopped(ours, sent.why), isSent: true, hit };
	}
	sent.why = 'the service has accepted a stop, but has not ended it yet';
	sent.isAccepted = true;
	if (before) {
		if (saysEnd(stopped, before)) sent.end = { said: stopped, listed: before };
		wanted.spare(running(listed).filter((batch) => batch !== before));
	}
	throwIfCancelled(connection);
	return { kind: 'accepted', batch: ours };
}

function notStopped(batch: Batch, why: string, error?: Error): NotStopped & { batch: Batch } {
	return { kind: 'goesOn', batch, why, ...(error instanceof NodeApiError && { error }) };
}

/** Batches as they are listed, by ID. */
type Listed = Map<string, Batch>;

function running(listed: Listed): Batch[] {
	return [...listed.values()].filter((batch) => !hasEnded(batch));
}

/** The batches of a task. */
interface BatchList extends Progress {
	listed: Listed;
	/** How many the service counts in all. */
	total: number;
	/** How many were on the first page. */
	onFirst: number;
}

/**
 * Whether a batch may go on that is counted and not listed. A service may count what it has deleted, or
 * always the same number: as many as were lacking before ours began do not go on, where that list was whole.
 */
function isIncomplete(
	{ came, counted, total, onFirst }: BatchList,
	before: CountBefore | undefined,
): boolean {
	if (came >= counted) return false;
	// A page that was cut has as many as one that is cut now.
	const wasWhole = before !== undefined && before.listed < onFirst;
	return !wasWhole || total - came > before.total - before.listed;
}

/**
 * The batches of the task, by a list that is not older than what is known of our batch: of two machines of
 * a service, one may lag behind. Asked for twice at most; `isOlder` tells that it did not help.
 */
async function readNewList(
	connection: Connection,
	taskID: string,
	own: Batch,
): Promise<BatchList & { isOlder: boolean }> {
	const known = wantedStops(connection, taskID).rowsListed(own);
	const isOlder = ({ listed }: BatchList) =>
		(decimalIn(listed.get(String(own.batchID))?.lineCount) ?? known) < known;
	let list = await readList(connection, taskID, own);
	if (isOlder(list)) list = await readList(connection, taskID, own);
	return { ...list, isOlder: isOlder(list) };
}

/** The batches of the task, and how many there are. */
async function readList(connection: Connection, taskID: string, own: Batch): Promise<BatchList> {
	const wanted = wantedStops(connection, taskID);
	const listed: Listed = new Map();
	let progress = { came: 0, counted: 0, total: 0 };
	let onFirst: number | undefined;
	for await (const page of readBatchPages(connection, taskID, { pageSize: batchesPerPage })) {
		wanted.noteList(page.batches);
		for (const batch of page.batches) listed.set(String(batch.batchID), batch);
		progress = page;
		onFirst ??= page.listed;
		const ours = listed.get(String(own.batchID));
		// Nothing behind it changes what comes of this look.
		if (ours && (hasEnded(ours) || !running(listed).every((batch) => wanted.isWanted(batch))))
			break;
	}
	const { came, counted, total } = progress;
	return { listed, came, counted, total, onFirst: onFirst ?? 0 };
}
