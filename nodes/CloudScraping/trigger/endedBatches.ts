import type { BatchPage, Progress } from '../api/batchPages';
import { hasEnded } from '../api/batches';
import type { Batch } from '../api/wire';
import { isAnother, withEnds } from './reusedIds';
import type { Ends } from './reusedIds';

/** What the trigger remembers between two polls. Kept small: n8n stores it with the workflow. */
export interface TriggerState {
	/** Whose batches these are; another task, or another service, begins anew. */
	source: string;
	/** The newest batches that were ever seen, newest first: an answer may lack some that the next has. */
	known: string[];
	/** When those of them ended that have: another batch may get their ID. */
	ends: Ends;
	/** A batch that is not known, stands behind known ones, and was not created later, is an old one. */
	floor: number;
	/** Batches that are still to fire: they had not ended yet, or no time was left for them. */
	pending: string[];
	/**
	 * For how many polls in a row a pending batch was not listed, or had an end time but no known status;
	 * those of zero are left out.
	 */
	stalled: Record<string, number>;
	/**
	 * For how many polls in a row the service has counted more batches than it listed. Those that it has
	 * left out may be new, so the next poll reads past the batches that are known.
	 */
	incomplete: number;
}

export interface PollResult {
	/** Ended batches that have not fired yet, in the order in which they ended. */
	ended: Batch[];
	state: TriggerState;
}

/** The list has a hole, and nothing is known yet that would tell old batches from new ones. */
export interface NoBaseline {
	noBaseline: Progress;
}

const mostKnown = 1_000;

/**
 * Polls for which a stalled batch stays pending, or for which batches that are not listed are looked
 * for: half an hour where n8n polls every minute. Each of them may have to read all pages, and the
 * service may have deleted them, or may never change.
 */
const mostStalled = 30;

/** Below the creation time of any batch: nothing is old. */
const noFloor = -1;

/**
 * Finds the batches that have ended since the last poll. `pages` come newest first and are read no
 * further than needed: to the first batch that is known, and to the last pending one, and to the end
 * while the service counts more than it lists. Without
 * a state this is the baseline, which reads them all: nothing fires, and what has not ended yet is
 * pending. `isFinal` says whether a batch that has ended keeps its status.
 */
export async function findEnded(
	pages: AsyncIterable<BatchPage>,
	source: string,
	earlier: TriggerState | undefined,
	isFinal = hasEnded,
): Promise<PollResult | NoBaseline> {
	const before = earlier?.source === source ? earlier : undefined;
	const known = new Set(before?.known);
	const pending = new Set(before?.pending);
	const missing = new Set(pending);
	const ends = before?.ends ?? {};
	const isReused = (batch: Batch) => isAnother(batch, ends[idOf(batch)]);
	const isKnown = (batch: Batch) => known.has(idOf(batch)) && !isReused(batch);
	// An answer of a replica that lags may show the batch that has fired under this ID.
	const isPending = (batch: Batch) =>
		pending.has(idOf(batch)) && (!Object.hasOwn(ends, idOf(batch)) || isReused(batch));
	const seen: Batch[] = [];
	const unlistedBefore = before?.incomplete ?? 0;
	// A service that always counts more than it lists counts otherwise.
	const isUsual = unlistedBefore > mostStalled;
	const looksForUnlisted = unlistedBefore > 0 && !isUsual;
	let metKnown = false;
	let unlisted: Progress | undefined;
	let hasHole = false;
	for await (const { batches, listed, came, counted } of pages) {
		hasHole ||= unlisted !== undefined && listed > 0;
		unlisted = came < counted ? { came, counted } : undefined;
		for (const batch of batches) {
			seen.push(batch);
			if (isPending(batch)) missing.delete(idOf(batch));
			metKnown ||= isKnown(batch);
		}
		const isWhole = !unlisted || isUsual;
		if (metKnown && missing.size === 0 && isWhole && !looksForUnlisted) break;
	}

	// The batches that are known may be listed again.
	if (before && seen.length === 0) return { ended: [], state: before };
	if (!before && unlisted && (hasHole || seen.length === 0)) {
		return { noBaseline: unlisted };
	}

	const firstKnown = seen.findIndex(isKnown);
	// What is listed before a known batch is newer, also where the service's clock does not say so.
	const isNew = (batch: Batch, index: number) =>
		before === undefined ||
		isReused(batch) ||
		(!isKnown(batch) && (index < firstKnown || createdAt(batch) > before.floor));
	const fresh = seen.filter(isNew);
	const watched = seen.filter((batch, index) => isNew(batch, index) || isPending(batch));

	const isOver = before === undefined ? hasEnded : isFinal;
	const unfinished = watched.filter((batch) => !isOver(batch));
	const waiting = [...unfinished.map(idOf), ...missing];
	const stalled = countPolls(
		[...unfinished.filter(hasEnded).map(idOf), ...missing],
		before?.stalled,
	);
	const isGivenUp = (id: string) => stalled[id] > mostStalled;
	// What was given up because it was not listed has not fired: if it is listed again, it is new.
	const isForgotten = (id: string) => missing.has(id) && isGivenUp(id) && !Object.hasOwn(ends, id);
	const ids = [...new Set([...fresh.map(idOf), ...known])].filter((id) => !isForgotten(id));
	const remembered = ids.slice(0, mostKnown);
	const fires = new Set(before === undefined ? [] : watched.filter(isFinal));
	const areOver = seen.filter(
		(batch) => hasEnded(batch) && !fires.has(batch) && !waiting.includes(idOf(batch)),
	);
	return {
		ended: inOrderOfEnd([...fires]),
		state: {
			source,
			known: remembered,
			ends: endsOfKnown(remembered, withEnds(ends, areOver)),
			floor: Math.max(
				floorAbove(ids.slice(mostKnown), seen, before?.floor ?? noFloor),
				// What the baseline does not list is old, unless it is created later.
				before === undefined && unlisted ? newestOf(seen) : noFloor,
			),
			pending: waiting.filter((id) => !isGivenUp(id)),
			stalled,
			incomplete: unlisted ? unlistedBefore + 1 : 0,
		},
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

function endsOfKnown(known: string[], ends: Ends): Ends {
	const kept = known.filter((id) => Object.hasOwn(ends, id));
	return Object.fromEntries(kept.map((id) => [id, ends[id]]));
}

function countPolls(ids: string[], before: Record<string, number> = {}): Record<string, number> {
	return Object.fromEntries(ids.map((id) => [id, (before[id] ?? 0) + 1]));
}

/** The floor that keeps batches old which are no longer remembered. It never sinks. */
function floorAbove(forgotten: string[], seen: Batch[], before: number): number {
	if (forgotten.length === 0) return before;
	const ids = new Set(forgotten);
	// Those that were not read again stand behind the last one that was.
	const oldest = seen.filter((batch, index) => ids.has(idOf(batch)) || index === seen.length - 1);
	return oldest.map(createdAt).reduce((floor, time) => Math.max(floor, time), before);
}

function newestOf(batches: Batch[]): number {
	return batches.map(createdAt).reduce((newest, time) => Math.max(newest, time), noFloor);
}

/** Oldest end first; of batches that ended together, the one that was created first. */
function inOrderOfEnd(newestFirst: Batch[]): Batch[] {
	return [...newestFirst].reverse().sort((a, b) => Number(a.endTime) - Number(b.endTime));
}

function idOf({ batchID }: Batch): string {
	return String(batchID);
}

function createdAt({ createTime }: Batch): number {
	const time = Number(createTime);
	return Number.isFinite(time) ? time : 0;
}
