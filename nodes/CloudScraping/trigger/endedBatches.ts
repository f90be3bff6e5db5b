import { hasEnded } from '../api/batchStatus';
import type { BatchPage, Progress } from '../api/paging/batches';
import type { Batch } from '../api/wire';
import { readAsNeeded } from './readAsNeeded';
import type { Reading } from './readAsNeeded';
import { compareTimes, createdBefore, withEnds } from './reusedIds';
import type { Ends } from './reusedIds';
import { createdAt, idOf, maxStalled, noFloor, recall } from './triggerState';
import type { TriggerState } from './triggerState';

export interface PollResult {
	/** Ended batches that have not fired yet, in the order in which they ended. */
	ended: Batch[];
	state: TriggerState;
}

/** The list has a hole, and nothing is known yet that would tell old batches from new ones. */
export interface NoBaseline {
	noBaseline: Progress;
}

const maxKnown = 1_000;

/**
 * Finds the batches that have ended since the last poll. `pages` come newest first and are read no
 * further than needed. Without a state this is the baseline, which reads them all: nothing fires, and
 * what has not ended yet is pending. `isFinal` says whether a batch that has ended keeps its status,
 * `usual` what the list lacked when it was read before, behind the newest batch.
 */
export async function findEnded(
	pages: AsyncIterable<BatchPage>,
	source: string,
	earlier: TriggerState | undefined,
	isFinal = hasEnded,
	usual?: Progress,
): Promise<PollResult | NoBaseline> {
	const before = earlier?.source === source ? earlier : undefined;
	const reading = await readAsNeeded(pages, before);
	const { seen, unlisted, hasHole } = reading;

	// The batches that are known may be listed again.
	if (before && seen.length === 0) return { ended: [], state: before };
	const mayHideNew = hasHole && !(usual && unlisted && sizeOf(unlisted) === sizeOf(usual));
	if (!before && unlisted && (mayHideNew || seen.length === 0)) {
		return { noBaseline: unlisted };
	}

	const listed = classify(seen, before);
	const fires = before === undefined ? [] : listed.watched.filter(isFinal);
	const isOver = before === undefined ? hasEnded : isFinal;
	const unfinished = listed.watched.filter((batch) => !isOver(batch));
	return {
		ended: inOrderOfEnd(fires),
		state: nextState({ source, before, ...reading, ...listed, fires, unfinished }),
	};
}

/** The batches of a list, by what was known of them. */
interface Classified {
	/** Those that were not there before. */
	fresh: Batch[];
	/** Those that were, though they are not remembered. */
	old: Batch[];
	/** Those that fire when they have ended: new ones, and pending ones. */
	watched: Batch[];
	/** Pending ones that are not listed. */
	missing: Set<string>;
	known: Set<string>;
	/** As of the state, by the clock that the service has now. */
	floor: number;
}

function classify(seen: Batch[], before: TriggerState | undefined): Classified {
	const { reused, shift } = compareTimes(seen, before?.ends ?? {});
	const isReused = (batch: Batch) => reused.has(batch);
	const { known, pending, isKnown, isPending } = recall(before, isReused);
	const floorBefore = before?.floor ?? noFloor;
	// A clock that was corrected has moved the old batches, too.
	const floor = floorBefore === noFloor ? noFloor : floorBefore + shift;
	const firstKnown = seen.findIndex(isKnown);
	// What is listed before a known batch is newer, also where the service's clock does not say so.
	const isNew = (batch: Batch, index: number) =>
		before === undefined ||
		isReused(batch) ||
		(!isKnown(batch) && (index < firstKnown || createdAt(batch) > floor));
	const present = new Set(seen.filter(isPending).map(idOf));
	return {
		fresh: seen.filter(isNew),
		old: seen.filter((batch, index) => !known.has(idOf(batch)) && !isNew(batch, index)),
		watched: seen.filter((batch, index) => isNew(batch, index) || isPending(batch)),
		missing: new Set([...pending].filter((id) => !present.has(id))),
		known,
		floor,
	};
}

interface Found extends Reading, Classified {
	source: string;
	before: TriggerState | undefined;
	fires: Batch[];
	/** Those of the watched ones that are to be looked at again. */
	unfinished: Batch[];
}

function nextState({ source, before, seen, unlisted, ...found }: Found): TriggerState {
	const { fresh, old, missing, known, floor, fires, unfinished, gap, counted, pause } = found;
	const ends = before?.ends ?? {};
	const waiting = [...unfinished.map(idOf), ...missing];
	const stalled = countPolls(
		[...unfinished.filter(hasEnded).map(idOf), ...missing],
		before?.stalled,
	);
	const isGivenUp = (id: string) => stalled[id] > maxStalled;
	// What was given up because it was not listed has not fired: if it is listed again, it is new.
	const isForgotten = (id: string) => missing.has(id) && isGivenUp(id) && !Object.hasOwn(ends, id);
	const ids = [...new Set([...fresh.map(idOf), ...known])].filter((id) => !isForgotten(id));
	const remembered = ids.slice(0, maxKnown);
	const areOver = seen.filter(
		(batch) => hasEnded(batch) && !fires.includes(batch) && !waiting.includes(idOf(batch)),
	);
	return {
		source,
		known: remembered,
		ends: endsOfKnown(remembered, withEnds(ends, areOver)),
		floor: Math.max(
			floor,
			newestOf(old),
			newestForgotten(ids.slice(maxKnown), seen, ends),
			// What the baseline does not list is old, unless it is created later.
			before === undefined && unlisted ? newestOf(seen) : noFloor,
		),
		pending: waiting.filter((id) => !isGivenUp(id)),
		stalled,
		incomplete: unlisted && gap === 0 ? (before?.incomplete ?? 0) + 1 : 0,
		gap,
		counted,
		pause,
	};
}

/**
 * The state when the ended batches have fired, but for those that are `left` to the next poll. Only of
 * what has fired the end is remembered: what is left is still to be found under its ID.
 */
export function afterFiring({ ended, state }: PollResult, left: string[]): TriggerState {
	const fired = ended.filter((batch) => !left.includes(idOf(batch)));
	return {
		...state,
		ends: endsOfKnown(state.known, withEnds(state.ends, fired)),
		pending: [...state.pending, ...left],
	};
}

function sizeOf({ came, counted }: Progress): number {
	return counted - came;
}

function endsOfKnown(known: string[], ends: Ends): Ends {
	const kept = known.filter((id) => Object.hasOwn(ends, id));
	return Object.fromEntries(kept.map((id) => [id, ends[id]]));
}

function countPolls(ids: string[], before: Record<string, number> = {}): Record<string, number> {
	return Object.fromEntries(ids.map((id) => [id, (before[id] ?? 0) + 1]));
}

/** When the newest was created of batches that are no longer remembered, or a time behind that. */
function newestForgotten(forgotten: string[], seen: Batch[], ends: Ends): number {
	const listed = new Map(seen.map((batch) => [idOf(batch), createdAt(batch)]));
	// Those that were not read again stand behind the last one that was.
	const last = seen.slice(-1).map(createdAt);
	return forgotten
		.map((id) => listed.get(id) ?? createdBefore(id, ends) ?? last[0])
		.reduce((newest, time) => Math.max(newest, time), noFloor);
}

function newestOf(batches: Batch[]): number {
	return batches.map(createdAt).reduce((newest, time) => Math.max(newest, time), noFloor);
}

/** Oldest end first; of batches that ended together, the one that was created first. */
function inOrderOfEnd(newestFirst: Batch[]): Batch[] {
	return [...newestFirst].reverse().sort((a, b) => Number(a.endTime) - Number(b.endTime));
}
