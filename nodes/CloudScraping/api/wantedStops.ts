import { hasEnded } from './batchStatus';
import type { Connection } from './connection';
import type { ListedBefore } from './listBeforeStart';
import { OneByOne } from './oneByOne';
import { taskKey } from './taskKey';
import { decimalIn } from './wire';
import type { Batch, WireInteger } from './wire';

/** Milliseconds at least for a service to end a run that a stop may have hit, and to list it so. */
const minStopTakesMs = 60_000;

/** So many milliseconds after a stop was sent, a run that is found stopped was stopped by somebody else. */
const rememberedMs = 3_600_000;

/** Goes on after "It was not stopped: ". */
const listedBefore = "the service had listed it before the start, so it may be someone else's";

/** A stop that was sent, and that may have been carried out. */
export interface SentStop {
	at: number;
	/** Why the run is not known to have ended. */
	why: string;
	error?: Error;
	/** What its answer says when that is that the run has ended, and how the run was listed before. */
	end?: { said: Batch; listed: Batch };
}

export interface CountBefore {
	listed: number;
	total: number;
}

interface Run {
	/** How many wait for its stop. */
	wishes: number;
	/** How many whose start was answered with it wait for its end, and do not want it stopped now. */
	waits: number;
	/** When a stop was sent that may have hit it. */
	askedAt: number;
	/** The last one, unless it has provably not hit this run. */
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
 * The runs of a task that this process wants stopped, and those that it has asked the service to stop.
 * Other processes (workers of n8n's queue mode) have their own: their runs are strangers here.
 */
class WantedStops {
	readonly #runs = new Map<string, Run>();

	/** Batches that were listed as going on, and none as ended since. */
	readonly #goingOn = new Map<string, { batch: Batch; at: number }>();

	/** Milliseconds that the list was seen to lag behind. */
	#lag = 0;

	/** Milliseconds for the service to end a run that a stop may have hit, and to list it so. */
	get stopTakesMs(): number {
		return Math.max(minStopTakesMs, 2 * this.#lag);
	}

	/** Notes that the start of a run was answered: it goes on, also before the service lists it. */
	begin(begun: Batch): void {
		this.noteList([begun]);
		Object.assign(this.#runOf(begun.batchID), { begunAt: performance.now(), begun });
		this.#forgetOld();
	}

	/** The run with this identifier as its start was answered, if this process has started it. */
	begun(batchID: string): Batch | undefined {
		return this.#runs.get(batchID)?.begun;
	}

	/**
	 * Notes that the start of a run was answered that may be stopped. One that was listed before may be
	 * somebody else's, unless another start of this process has begun it.
	 */
	beginOwn(batch: Batch, before?: ListedBefore): void {
		const run = this.#runOf(batch.batchID);
		const wasListed = before?.batchIDs.has(String(batch.batchID));
		if (wasListed && !run.isOwn) run.doubt = listedBefore;
		if (wasListed || (run.doubt !== undefined && !before)) return;
		Object.assign(run, { isOwn: true, doubt: undefined });
		if (before) run.before ??= { listed: before.batchIDs.size, total: before.total };
		this.begin(batch);
	}

	/** Notes what a list says of batches, whoever has asked for it. */
	noteList(batches: Batch[]): void {
		for (const batch of batches) {
			const key = String(batch.batchID);
			if (hasEnded(batch)) this.#goingOn.delete(key);
			else this.#goingOn.set(key, { batch, at: performance.now() });
			const run = this.#runs.get(key);
			if (run) run.rows = decimalIn(batch.lineCount);
		}
	}

	/**
	 * A run that nobody here wants stopped, and that goes on by what was listed last of it. That later
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

	/** How many rows a run had in the last list. */
	rowsListed({ batchID }: Batch): number {
		return this.#runs.get(String(batchID))?.rows ?? 0;
	}

	/** Notes whether a run is listed: how long a new one takes until then is how far the list lags. */
	noteListed({ batchID }: Batch, isListed: boolean): void {
		const run = this.#runs.get(String(batchID));
		if (run?.begunAt === undefined || run.isListed) return;
		if (!isListed) {
			run.isLate = true;
			return;
		}
		const took = performance.now() - run.begunAt;
		this.#lag = run.isLate ? took : Math.min(this.#lag, took);
		run.isListed = true;
	}

	/** Says that a run is to be stopped, until the function is called that comes back. */
	add(batchID: WireInteger): () => void {
		const run = this.#runOf(batchID);
		run.wishes++;
		return () => {
			run.wishes--;
			this.#forgetOld();
		};
	}

	/** Says that a run is to go on to its end, until the function is called that comes back. */
	waitFor({ batchID }: Batch): () => void {
		const run = this.#runOf(batchID);
		run.waits++;
		// Whoever has waited may want it stopped now: nothing of it is forgotten yet.
		return () => void run.waits--;
	}

	/** Why a run is never to be stopped, if so: it goes on after "It was not stopped: ". */
	doubtOf({ batchID }: Batch): string | undefined {
		return this.#runs.get(String(batchID))?.doubt;
	}

	/** Whether a stop of a run would cut somebody off in this process. */
	isWaitedFor({ batchID }: Batch): boolean {
		return (this.#runs.get(String(batchID))?.waits ?? 0) > 0;
	}

	/** How many batches were listed before the start of a run, and how many counted. */
	countBefore({ batchID }: Batch): CountBefore | undefined {
		return this.#runs.get(String(batchID))?.before;
	}

	/** Whether a stop may hit this run: it is wanted, or one may have hit it already. */
	isWanted(listed: Batch): boolean {
		const { wishes = 0, doubt } = this.#runs.get(String(listed.batchID)) ?? {};
		const isWish = wishes > 0 && !this.isWaitedFor(listed);
		return doubt === undefined && (isWish || this.sentTo(listed) !== undefined);
	}

	/** Notes, before it is sent, that a stop may hit any of these runs. */
	ask(batches: Batch[], sent: SentStop): void {
		for (const { batchID } of batches) {
			Object.assign(this.#runOf(batchID), { askedAt: sent.at, sent });
		}
	}

	/** Notes that the stop has hit none of these runs. */
	spare(batches: Batch[]): void {
		for (const { batchID } of batches) delete this.#runOf(batchID).sent;
	}

	/** Whether a run that is stopped may be so because of this process. */
	isAsked({ batchID }: Batch): boolean {
		return isWithin(this.#runs.get(String(batchID))?.askedAt, rememberedMs);
	}

	/**
	 * The stop that may have ended this run, however it is listed: the service may take its time for the
	 * stop and for its list, and a second stop would hit the run that comes next.
	 */
	sentTo(listed: Batch): SentStop | undefined {
		const { sent } = this.#runs.get(String(listed.batchID)) ?? {};
		if (!sent || isWithin(sent.at, this.stopTakesMs)) return sent;
		return sent.end && !goesOnAfter(sent.end, listed) ? sent : undefined;
	}

	#runOf(batchID: WireInteger): Run {
		const key = String(batchID);
		const run = this.#runs.get(key) ?? { wishes: 0, waits: 0, askedAt: -Infinity };
		this.#runs.set(key, run);
		return run;
	}

	#forgetOld(): void {
		for (const [key, { wishes, waits, askedAt, doubt, begunAt }] of this.#runs) {
			const isRecent = isWithin(askedAt, rememberedMs) || isWithin(begunAt, rememberedMs);
			const isOver = wishes + waits === 0 && doubt === undefined && !isRecent;
			if (isOver) this.#runs.delete(key);
		}
	}
}

function isWithin(time = -Infinity, milliseconds: number): boolean {
	return performance.now() - time <= milliseconds;
}

/**
 * Whether a run that was said to have ended is listed later than that, by the service's own times; where
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

/** What this process wants of the runs of a task, and the looks at them. */
interface OfTask {
	wanted: WantedStops;
	looks: OneByOne;
}

const ofTasks = new Map<string, OfTask>();

/** The runs of a task that this process wants stopped. */
export function wantedStops(connection: Connection, taskID: string): WantedStops {
	return ofTask(connection, taskID).wanted;
}

/** Does something in turn with all others of the task: between a look and its stop no other stop may come. */
export async function exclusively<T>(
	connection: Connection,
	taskID: string,
	work: () => Promise<T>,
): Promise<T> {
	return await ofTask(connection, taskID).looks.run(work);
}

function ofTask(connection: Connection, taskID: string): OfTask {
	const key = taskKey(connection, taskID);
	const task = ofTasks.get(key) ?? { wanted: new WantedStops(), looks: new OneByOne() };
	ofTasks.set(key, task);
	return task;
}
