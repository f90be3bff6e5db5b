import { hasEnded } from '../batchStatus';
import type { Connection } from '../connection';
import { decimalIn } from '../wire';
import type { Batch, WireInteger } from '../wire';
import type { ListedBefore } from './listBeforeStart';
import { taskKey } from './taskKey';

/** Milliseconds at least for a service to end a batch that a stop may have hit, and to list it so. */
const minStopTakesMs = 60_000;

/** So many milliseconds after a stop was sent, a batch that is found stopped was stopped by somebody else. */
const rememberedMs = 3_600_000;

/** Goes on after "It was not stopped: ". */
const listedBefore = "the service had listed it before the start, so it may be someone else's";

/** A stop that was sent, and that may have been carried out. */
export interface SentStop {
	at: number;
	/** Why the batch is not known to have ended. */
	why: string;
	error?: Error;
	/** Whether its answer was that it is carried out. */
	isAccepted?: boolean;
	/** What its answer says when that is that the batch has ended, and how the batch was listed before. */
	end?: { said: Batch; listed: Batch };
}

export interface CountBefore {
	listed: number;
	total: number;
}

/** What is known of a batch. */
interface Known {
	/** How many wait for its stop. */
	wishes: number;
	/** How many whose start was answered with it wait for its end, and do not want it stopped now. */
	waits: number;
	/** When a stop was sent that may have hit it. */
	askedAt: number;
	/** The last one, unless it has provably not hit this batch. */
	sent?: SentStop;
	/** A start of this process that may stop it has begun it: the service had not listed it before. */
	isOwn?: boolean;
	/** Why it may be somebody else's. */
	doubt?: string;
	/** How many batches were listed before its start, and how many counted. */
	before?: CountBefore;
	/** When its start was answered, and with what. */
	begunAt?: number;
	begun?: Batch;
	isListed?: boolean;
	/** A list has come that lacks it. */
	isLate?: boolean;
	/** Its rows, as the last list counts them. */
	rows?: number;
}

/**
 * The batches of a task that this process wants stopped, and those that it has asked the service to stop.
 * Other processes (workers of n8n's queue mode) have their own: their batches are strangers here.
 */
class WantedStops {
	readonly #known = new Map<string, Known>();

	/** Batches that were listed as going on, and none as ended since. */
	readonly #goingOn = new Map<string, { batch: Batch; at: number }>();

	/** Milliseconds that the list was seen to lag behind. */
	#lag = 0;

	/** Milliseconds for the service to end a batch that a stop may have hit, and to list it so. */
	get stopTakesMs(): number {
		return Math.max(minStopTakesMs, 2 * this.#lag);
	}

	/** Notes that the start of a batch was answered: it goes on, also before the service lists it. */
	begin(begun: Batch): void {
		this.noteList([begun]);
		Object.assign(this.#knownOf(begun.batchID), { begunAt: performance.now(), begun });
		this.#forgetOld();
	}

	/** The batch with this identifier as its start was answered, if this process has started it. */
	begun(batchID: string): Batch | undefined {
		return this.#known.get(batchID)?.begun;
	}

	/**
	 * Notes that the start of a batch was answered that may be stopped. One that was listed before may be
	 * somebody else's, unless another start of this process has begun it.
	 */
	beginOwn(batch: Batch, before?: ListedBefore): void {
		const known = this.#knownOf(batch.batchID);
		const wasListed = before?.batchIDs.has(String(batch.batchID));
		if (wasListed && !known.isOwn) known.doubt = listedBefore;
		if (wasListed || (known.doubt !== undefined && !before)) return;
		Object.assign(known, { isOwn: true, doubt: undefined });
		if (before) known.before ??= { listed: before.batchIDs.size, total: before.total };
		this.begin(batch);
	}

	/** Notes what a list says of batches, whoever has asked for it. */
	noteList(batches: Batch[]): void {
		for (const batch of batches) {
			const key = String(batch.batchID);
			if (hasEnded(batch)) this.#goingOn.delete(key);
			else this.#goingOn.set(key, { batch, at: performance.now() });
			const known = this.#known.get(key);
			if (known) known.rows = decimalIn(batch.lineCount);
		}
	}

	/**
	 * A batch that nobody here wants stopped, and that goes on by what was listed last of it. That later
	 * lists lack it is no end, for as long as a list may lag behind: they may come from another machine
	 * of the service.
	 */
	strangerGoingOn(): Batch | undefined {
		for (const [key, { batch, at }] of this.#goingOn) {
			if (!isWithin(at, this.stopTakesMs)) this.#goingOn.delete(key);
			else if (!this.isWanted(batch)) return batch;
		}
		return undefined;
	}

	/** How many rows a batch had in the last list. */
	rowsListed({ batchID }: Batch): number {
		return this.#known.get(String(batchID))?.rows ?? 0;
	}

	/** Notes whether a batch is listed: how long a new one takes until then is how far the list lags. */
	noteListed({ batchID }: Batch, isListed: boolean): void {
		const known = this.#known.get(String(batchID));
		if (known?.begunAt === undefined || known.isListed) return;
		if (!isListed) {
			known.isLate = true;
			return;
		}
		const took = performance.now() - known.begunAt;
		this.#lag = known.isLate ? took : Math.min(this.#lag, took);
		known.isListed = true;
	}

	/** Says that a batch is to be stopped, until the function is called that comes back. */
	add(batchID: WireInteger): () => void {
		const known = this.#knownOf(batchID);
		known.wishes++;
		return () => {
			known.wishes--;
			this.#forgetOld();
		};
	}

	/** Says that a batch is to go on to its end, until the function is called that comes back. */
	waitFor({ batchID }: Batch): () => void {
		const known = this.#knownOf(batchID);
		known.waits++;
		// Whoever has waited may want it stopped now: nothing of it is forgotten yet.
		return () => void known.waits--;
	}

	/** Why a batch is never to be stopped, if so: it goes on after "It was not stopped: ". */
	doubtOf({ batchID }: Batch): string | undefined {
		return this.#known.get(String(batchID))?.doubt;
	}

	/** Whether a stop of a batch would cut somebody off in this process. */
	isWaitedFor({ batchID }: Batch): boolean {
		return (this.#known.get(String(batchID))?.waits ?? 0) > 0;
	}

	/** How many batches were listed before this one was started, and how many counted. */
	countBefore({ batchID }: Batch): CountBefore | undefined {
		return this.#known.get(String(batchID))?.before;
	}

	/** Whether a stop may hit this batch: it is wanted, or one may have hit it already. */
	isWanted(listed: Batch): boolean {
		const { wishes = 0, doubt } = this.#known.get(String(listed.batchID)) ?? {};
		const isWish = wishes > 0 && !this.isWaitedFor(listed);
		return doubt === undefined && (isWish || this.sentTo(listed) !== undefined);
	}

	/** Notes, before it is sent, that a stop may hit any of these batches. */
	ask(batches: Batch[], sent: SentStop): void {
		for (const { batchID } of batches) {
			Object.assign(this.#knownOf(batchID), { askedAt: sent.at, sent });
		}
	}

	/** Notes that the stop has hit none of these batches. */
	spare(batches: Batch[]): void {
		for (const { batchID } of batches) delete this.#knownOf(batchID).sent;
	}

	/** Whether a batch that is stopped may be so because of this process. */
	isAsked({ batchID }: Batch): boolean {
		return isWithin(this.#known.get(String(batchID))?.askedAt, rememberedMs);
	}

	/**
	 * The stop that may have ended this batch, however it is listed: the service may take its time for the
	 * stop and for its list, and a second stop would hit the batch that comes next.
	 */
	sentTo(listed: Batch): SentStop | undefined {
		const { sent } = this.#known.get(String(listed.batchID)) ?? {};
		if (!sent || isWithin(sent.at, this.stopTakesMs)) return sent;
		return sent.end && !goesOnAfter(sent.end, listed) ? sent : undefined;
	}

	#knownOf(batchID: WireInteger): Known {
		const key = String(batchID);
		const known = this.#known.get(key) ?? { wishes: 0, waits: 0, askedAt: -Infinity };
		this.#known.set(key, known);
		return known;
	}

	#forgetOld(): void {
		for (const [key, { wishes, waits, askedAt, doubt, begunAt }] of this.#known) {
			const isRecent = isWithin(askedAt, rememberedMs) || isWithin(begunAt, rememberedMs);
			const isOver = wishes + waits === 0 && doubt === undefined && !isRecent;
			if (isOver) this.#known.delete(key);
		}
	}
}

function isWithin(time = -Infinity, milliseconds: number): boolean {
	return performance.now() - time <= milliseconds;
}

/**
 * Whether a batch that was said to have ended is listed later than that, by the service's own times; where
 * it says none, with more than it had then. A count below what was listed before is no count.
 */
function goesOnAfter({ said, listed }: NonNullable<SentStop['end']>, now: Batch): boolean {
	const updated = decimalIn(now.updateTime) ?? 0;
	const end = Math.max(decimalIn(said.endTime) ?? 0, decimalIn(said.updateTime) ?? 0);
	if (updated > 0 && end > 0) return updated > end;
	return (['lineCount', 'captchaCount', 'ipProxyUsage'] as const).some((count) => {
		const then = decimalIn(said[count]);
		if (then === undefined || then < (decimalIn(listed[count]) ?? 0)) return false;
		return (decimalIn(now[count]) ?? 0) > then;
	});
}

const ofTasks = new Map<string, WantedStops>();

/** The batches of a task that this process wants stopped. */
export function wantedStops(connection: Connection, taskID: string): WantedStops {
	const key = taskKey(connection, taskID);
	const wanted = ofTasks.get(key) ?? new WantedStops();
	ofTasks.set(key, wanted);
	return wanted;
}
