import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { reasonOf } from '../errors/thrown.ts';
import { slotTime, type Slots } from '../store/machines.ts';
import type { Turn, TurnTaker } from './turns.ts';

/** Milliseconds after which slots that are enough are leased anew, and others are asked for again. */
const renewal = 5_000;
const again = 1_000;

/** What has the same key: what is to be done, and how many slots there are for it. */
interface Line {
	key: string;
	limit: number;
	queue: PQueue;
	/** How many are leased, and until when, by the monotonic clock. */
	slots: number;
	until: number;
	/** Ends the wait for the next lease. */
	wake: AbortController;
	/** Why there will never be any. */
	failure?: Error;
}

/**
 * Takes turns that several processes share: each leases slots of a key, for as many as it has use for, and gives
 * them back when it has none.
 */
export class LeasedTurns implements TurnTaker {
	readonly #slots: Slots;
	readonly #lines = new Map<string, Line>();

	constructor(slots: Slots) {
		this.#slots = slots;
	}

	take<Result>({ key, limit, signal }: Turn, work: () => Promise<Result>): Promise<Result> {
		const known = this.#lines.get(key);
		const line = known ?? {
			key,
			limit,
			queue: new PQueue({ autoStart: false }),
			slots: 0,
			until: 0,
			wake: new AbortController(),
		};
		line.limit = limit;
		this.#lines.set(key, line);
		pauseIfOver(line);
		// What ends makes room for the next, as where the process was frozen for longer than its slots are its own.
		const inTurn = async () => {
			if (line.failure !== undefined) throw line.failure;
			return work().finally(() => pauseIfOver(line));
		};
		const done = line.queue.add(inTurn, { signal });
		if (!known) void this.#lease(line);
		// The slots that there are do not do any more.
		else if (line.slots > 0 && line.slots < wantedIn(line)) line.wake.abort();
		return done;
	}

	/** What another try makes no better: whoever waits for a slot fails by it. */
	#fail(line: Line, error: unknown): void {
		this.#lines.delete(line.key);
		line.failure = new Error(reasonOf(error), { cause: error });
		line.queue.concurrency = Infinity;
		line.queue.start();
	}

	/** Sees to it that there are slots, as long as there is something to do. */
	async #lease(line: Line): Promise<void> {
		const { key, queue } = line;
		for (;;) {
			const asked = performance.now();
			const [wanted, using] = [wantedIn(line), queue.pending];
			line.wake = new AbortController();
			// Whatever is answered, and whether it is: what is not in use now, others may have from now on.
			const kept = Math.min(line.slots, using);
			use(line, kept);
			try {
				const leased = await this.#slots.lease(key, { limit: line.limit, wanted, using });
				if (leased !== undefined) line.until = asked + slotTime;
				line.slots = leased ?? kept;
			} catch (error) {
				return this.#fail(line, error);
			}
			if (isOver(line)) line.slots = 0;
			use(line, line.slots);
			if (wanted === 0 && line.slots === 0) {
				if (wantedIn(line) > 0) continue;
				this.#lines.delete(key);
				return;
			}
			const pause = line.slots < wanted ? again : renewal;
			await sleep(pause, undefined, { signal: line.wake.signal, ref: false }).catch(
				() => undefined,
			);
		}
	}
}

/** Has so many at work at once. */
function use(line: Line, slots: number): void {
	if (slots === 0 || isOver(line)) return line.queue.pause();
	line.queue.concurrency = slots;
	line.queue.start();
}

/** Whether others may have its slots by now. */
function isOver({ until, failure }: Line): boolean {
	return failure === undefined && performance.now() >= until;
}

/** Begins nothing more with slots that others may have: they are leased anew at once. */
function pauseIfOver(line: Line): void {
	if (!isOver(line)) return;
	line.queue.pause();
	line.wake.abort();
}

function wantedIn({ queue, limit }: Line): number {
	return Math.min(limit, queue.size + queue.pending);
}
