import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { reasonOf } from '../errors/thrown.ts';
import { slotTime, type Slots } from '../store/machines.ts';
import type { Turn, TurnTaker } from './turns.ts';

/** Milliseconds after which slots that are enough are leased anew, and others are asked for again. */
const renewal = 5_000;
const again = 1_000;

/** Milliseconds after which slots that others wait for are given back, where they are not in use meanwhile. */
const linger = 100;

/** What has the same key: what is to be done, and how many slots there are for it. */
interface Line {
	key: string;
	limit: number;
	queue: PQueue;
	/** How many were asked for last, how many are leased, and until when, by the monotonic clock. */
	wanted: number;
	slots: number;
	until: number;
	/** How many others cannot have: those leased, and those that could not be given back when it was asked last. */
	held: number;
	/** What has begun and not ended, also where it was called off. */
	underWay: number;
	/** Whether others have told that they wait for slots, since some were given back. */
	isAwaited: boolean;
	/** Ends the time in which slots may come into use again. */
	idle?: NodeJS.Timeout;
	/** Ends the wait for the next lease. */
	wake: AbortController;
	/** Why there will never be any. */
	failure?: Error;
}

/**
 * Takes turns that several processes share: each leases slots of a key, for as many as it has use for. It gives them
 * back when it has none: in a moment where others wait for them, as those tell, else when it would lease them anew.
 * What nobody hears costs time: who waits asks each second, and who holds slots leases anew.
 */
export class LeasedTurns implements TurnTaker {
	readonly #slots: Slots;
	readonly #lines = new Map<string, Line>();

	constructor(slots: Slots) {
		this.#slots = slots;
		slots.onTold((key, news) => {
			const line = this.#lines.get(key);
			if (!line) return;
			if (news === 'wanted') line.isAwaited = true;
			else if (line.slots < line.wanted) line.wake.abort();
			giveBackIdle(line);
		});
	}

	take<Result>({ key, limit, signal }: Turn, work: () => Promise<Result>): Promise<Result> {
		const known = this.#lines.get(key);
		const line = known ?? {
			key,
			limit,
			queue: new PQueue({ autoStart: false }),
			wanted: 0,
			slots: 0,
			until: 0,
			held: 0,
			underWay: 0,
			isAwaited: false,
			wake: new AbortController(),
		};
		this.#lines.set(key, line);
		if (limit < line.limit) lower(line, limit);
		else if (wantedIn(line) === 0) line.limit = limit;
		pauseIfOver(line);
		// What ends makes room for the next, as where the process was frozen for longer than its slots are its own.
		const inTurn = async () => {
			if (line.failure !== undefined) throw line.failure;
			line.underWay += 1;
			return work().finally(() => {
				line.underWay -= 1;
				pauseIfOver(line);
				giveBackIdle(line);
			});
		};
		const done = line.queue.add(inTurn, { signal });
		if (!known) void this.#lease(line);
		// The slots that there are do not do any more.
		else if (line.wanted <= line.slots && line.slots < wantedIn(line)) line.wake.abort();
		giveBackIdle(line);
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
			const [wanted, using, had, limit] = [wantedIn(line), line.underWay, line.held, line.limit];
			line.wanted = wanted;
			line.wake = new AbortController();
			if (isIdle(line)) line.isAwaited = false;
			// Whatever is answered, and whether it is: what is not in use now, others may have from now on.
			const kept = Math.min(line.slots, queue.pending);
			use(line, kept);
			try {
				const leased = await this.#slots.lease(key, { limit, wanted, using });
				line.slots = leased ?? kept;
				if (leased !== undefined) {
					line.held = Math.max(leased, Math.min(using, had));
					// Of a larger number than counts now, none is used.
					if (line.limit < limit) continue;
					line.until = asked + slotTime;
					if (line.held < had) this.#slots.tell(key, 'given');
					if (leased < wanted) this.#slots.tell(key, 'wanted');
				}
			} catch (error) {
				return this.#fail(line, error);
			}
			if (isOver(line)) line.slots = 0;
			use(line, line.slots);
			// More may have come meanwhile.
			if (wanted <= line.slots && line.slots < wantedIn(line)) continue;
			if (wanted === 0 && line.slots === 0) {
				this.#lines.delete(key);
				return;
			}
			giveBackIdle(line);
			const pause = line.slots < wanted ? again : renewal;
			await sleep(pause, undefined, { signal: line.wake.signal, ref: false }).catch(
				() => undefined,
			);
		}
	}
}

/** There are fewer slots for it from now on: nothing begins by those that were leased when there were more. */
function lower(line: Line, limit: number): void {
	line.limit = limit;
	line.until = 0;
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

/** Has slots that others wait for given back when they are not in use, nor are in a moment. */
function giveBackIdle(line: Line): void {
	if (line.isAwaited && isIdle(line)) {
		line.idle ??= setTimeout(() => {
			line.idle = undefined;
			line.wake.abort();
		}, linger).unref();
	} else {
		clearTimeout(line.idle);
		line.idle = undefined;
	}
}

/** Whether it has slots that it has no use for. */
function isIdle(line: Line): boolean {
	return line.held > Math.max(line.underWay, Math.min(line.slots, wantedIn(line)));
}

function wantedIn({ queue, limit, underWay }: Line): number {
	return Math.min(limit, queue.size + underWay);
}
