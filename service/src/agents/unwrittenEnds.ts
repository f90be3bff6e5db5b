import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../errors/thrown.ts';
import { status, type Batch, type EndStatus } from '../store/batch.ts';
import type { StopsElsewhere } from '../store/machines.ts';

/** The end of a batch as it is to be written. */
export interface End {
	batchID: bigint;
	how: EndStatus;
	reason: string;
}

/** Milliseconds after which an end is written again that could not be, and one that another process was to write. */
const pause = 1_000;
const pauseElsewhere = 5_000;

/** Milliseconds for other processes to be told, before somebody is answered. */
const tellTime = 1_000;

/** Milliseconds for the last try, when the process ends. */
const patience = 1_500;

/** What the log says of a batch that goes on, though somebody was told that it is to be stopped. */
const forgotten =
	'batch was to be stopped, which could not be written before this process ends: unless another process still can, the batch goes on. Look, and stop it again, when the database can be written';

interface UnwrittenEnd {
	end: End;
	pause: number;
	/** Resolves when it is written, or is not tried any more. */
	over: PromiseWithResolvers<void>;
	timer?: NodeJS.Timeout;
}

/**
 * The ends of batches that are not written yet: nobody here works on these batches. One that could not be written
 * when it came is tried again until it is, or the process ends, which the log says then.
 */
export class UnwrittenEnds {
	readonly #write: (end: End) => Promise<Batch | undefined>;
	readonly #log: FastifyBaseLogger;
	readonly #stops: StopsElsewhere | undefined;
	readonly #ends = new Map<bigint, UnwrittenEnd>();
	/** Those that are tried for the first time. */
	readonly #first = new Set<Pick<UnwrittenEnd, 'end' | 'over'>>();
	#isClosed = false;

	/**
	 * `write` resolves when an end is written, to its batch, or to undefined if another one was before; `stops`: how
	 * others are told of some.
	 */
	constructor(
		write: (end: End) => Promise<Batch | undefined>,
		{ log, stops }: { log: FastifyBaseLogger; stops?: StopsElsewhere },
	) {
		this.#write = write;
		this.#log = log;
		this.#stops = stops;
	}

	/** Whether what is added is not tried any more. */
	get isClosed(): boolean {
		return this.#isClosed;
	}

	has(batchID: bigint): boolean {
		return this.#unwritten(batchID) !== undefined;
	}

	/** Resolves when no end of a batch is still to be written here. */
	async over(batchID: bigint): Promise<void> {
		for (let each; (each = this.#unwritten(batchID));) await each.over.promise;
	}

	#unwritten(batchID: bigint): Pick<UnwrittenEnd, 'over'> | undefined {
		return this.#ends.get(batchID) ?? [...this.#first].find(({ end }) => end.batchID === batchID);
	}

	/**
	 * Writes an end: resolves as `write` does. Throws where that cannot be done now; then it is done later, and other
	 * processes have been told, if that can be done now: whoever is answered that it is tried again may rely on them, too.
	 */
	async write(end: End): Promise<Batch | undefined> {
		const first = { end, over: Promise.withResolvers<void>() };
		this.#first.add(first);
		try {
			return await this.#write(end);
		} catch (error) {
			await this.#writeLater(end, error);
			throw error;
		} finally {
			this.#first.delete(first);
			first.over.resolve();
		}
	}

	/** `why`: the error with which it could not be written. */
	async #writeLater(end: End, why: unknown): Promise<void> {
		if (this.#isClosed) return this.#forget(end, why);
		this.#add(end, pause);
		const told = new AbortController();
		const enough = sleep(tellTime, undefined, { signal: told.signal }).catch(() => undefined);
		await Promise.race([this.#tell(end), enough]);
		told.abort();
	}

	/** Another process was told to stop a batch, and may end before it can be written. */
	addStop(batchID: bigint): void {
		if (this.#isClosed) return;
		this.#add({ batchID, how: status.stopped, reason: '' }, pauseElsewhere);
	}

	/** Tries each a last time, and says which batches go on though they were to be stopped. */
	async close(): Promise<void> {
		this.#isClosed = true;
		const late = [...this.#ends.values()];
		const enough = new AbortController();
		const tooLate = sleep(patience, undefined, { signal: enough.signal }).catch(() => undefined);
		let why: unknown = new Error('the database has not answered');
		const tries = late.map(async (each) => {
			clearTimeout(each.timer);
			await this.#try(each).catch((error: unknown) => (why = error));
		});
		await Promise.race([Promise.all(tries), tooLate]);
		enough.abort();
		for (const { end, over } of this.#ends.values()) {
			this.#forget(end, why);
			over.resolve();
		}
		this.#ends.clear();
	}

	/** Of a batch whose jobs are done, and that somebody stops meanwhile, nothing goes on. */
	#add(end: End, pauseBefore: number): void {
		if (this.#ends.has(end.batchID)) return;
		const late: UnwrittenEnd = { end, pause: pauseBefore, over: Promise.withResolvers() };
		this.#ends.set(end.batchID, late);
		this.#tryLater(late);
	}

	#tryLater(late: UnwrittenEnd): void {
		late.timer = setTimeout(() => {
			this.#try(late).catch(() => {
				if (this.#isClosed) return;
				// Each time: also a process that has begun meanwhile leaves the batch alone.
				void this.#tell(late.end);
				this.#tryLater(late);
			});
		}, late.pause).unref();
	}

	/** Where that fails, it is told with the next try. */
	async #tell({ batchID, how }: End): Promise<void> {
		if (how === status.stopped) await this.#stops?.tell(batchID).catch(() => undefined);
	}

	async #try(late: UnwrittenEnd): Promise<void> {
		await this.#write(late.end);
		this.#ends.delete(late.end.batchID);
		late.over.resolve();
	}

	/** A batch whose jobs are done ends at the next start, without a page. */
	#forget({ batchID, how }: End, why: unknown): void {
		if (how !== status.stopped) return;
		this.#log.error({ batchID: String(batchID), reason: reasonOf(why) }, forgotten);
	}
}
