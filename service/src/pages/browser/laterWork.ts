import { Chance } from './chance.ts';
import type { Look } from './lookAt.ts';
import { timerLimits } from './timers.ts';

const { longest, answerTime, moment } = timerLimits;

/** Milliseconds for the data that a page asks its own site for when it comes, and for what it asks for piece by piece. */
export const dataTimeout = 10_000;
/** Milliseconds of waiting in vain that do not count. */
const shortWait = 250;

/** One way in which scripts put something off in a step. */
class Way {
	readonly name: 'putOff' | 'ofWorkers' | 'ofFrames';
	readonly #longest: number;
	readonly #short: number;
	readonly #chance = new Chance();
	/** Since when the page would be at rest, but for that. */
	#since: number | undefined;

	/** `longest`: milliseconds that it may take; `short`: of waiting in vain that do not count. */
	constructor(
		name: 'putOff' | 'ofWorkers' | 'ofFrames',
		{ longest, short }: Record<'longest' | 'short', number>,
	) {
		[this.name, this.#longest, this.#short] = [name, longest, short];
	}

	begin(): void {
		this.#since = undefined;
	}

	/** Milliseconds that it may still take, `passed` after the step. */
	timeLeft({ timesLeft }: Look, passed: number): number {
		const left = passed < this.#longest && this.#chance.isLeft ? timesLeft[this.name] : 0;
		if (left > 0) this.#since ??= performance.now();
		return left;
	}

	/** The page has come to rest. */
	end({ unchanged }: Look): void {
		if (this.#since === undefined) return;
		const waited = performance.now() - this.#since;
		const hasChanged = unchanged < waited;
		if (hasChanged || waited >= this.#short) this.#chance.note(hasChanged);
	}
}

/**
 * What scripts have their timers do once a page seems to be at rest: what they have put off in a step, and what they ask
 * for, or show, of data that has come, as of a search that still goes on. And what they have workers do in a step, or do
 * with one frame after the other.
 */
export class LaterWork {
	/** How something is put off in a step. */
	readonly #ways = [
		new Way('putOff', { longest, short: 0 }),
		new Way('ofWorkers', { longest: answerTime, short: shortWait }),
		new Way('ofFrames', { longest, short: shortWait }),
	];
	readonly #followUps = new Chance();
	/** When the action began, or what it opened had come, and when data has come last since, or 0. */
	#acted = 0;
	#dataCame = 0;
	/** Since when the page would be at rest, but for what follows data, and how many elements it had by then. */
	#followUp: { since: number; size: number } | undefined;
	/** When data has come, or was shown, last, where that is followed. */
	#moreCame = -Infinity;
	/** Whether scripts were to ask for more at the last look. */
	#isAskedOn = false;
	/** Whether they still were when that had its time. */
	#isCut = false;

	/** An action begins, or a page that it has opened has come. */
	act(): void {
		this.#acted = performance.now();
		this.#dataCame = 0;
		this.#isCut = false;
	}

	/** Data has come of which scripts may ask for more. */
	dataCame(): void {
		this.#dataCame = performance.now();
	}

	/** It is waited for that the page comes to rest. */
	begin(): void {
		for (const way of this.#ways) way.begin();
		this.#followUp = undefined;
		this.#moreCame = -Infinity;
	}

	/**
	 * Milliseconds that a page at rest is still to be waited for; 0 for none. `stepped`: when the step was done, where one
	 * was; `isRestless`: the document changes all the time.
	 */
	timeLeft(
		look: Look,
		{ stepped = -Infinity, isRestless }: { stepped: number | undefined; isRestless: boolean },
	): number {
		const now = performance.now();
		// What moves all the time asks for frames all the time.
		const ways = this.#ways.filter(({ name }) => !isRestless || name !== 'ofFrames');
		const putOff = ways.map((way) => way.timeLeft(look, now - stepped));
		const followUp = this.#followUpLeft(look);
		if (followUp > 0) this.#followUp ??= { since: now, size: look.size };
		if (this.#followUp) this.#moreCame = Math.max(this.#dataCame, now - look.unchanged);
		return Math.max(...putOff, followUp);
	}

	/** When the last of the data came that gives a page so many more milliseconds of time. */
	latest(timeout: number): number {
		return Math.min(this.#moreCame, this.#acted + dataTimeout - timeout);
	}

	/** The page has come to rest. What goes on for ever is nothing that comes, nor is what only goes, as a message does. */
	end(look: Look): void {
		const now = performance.now();
		for (const way of this.#ways) way.end(look);
		this.#noteCut();
		if (!this.#followUp) return;
		const { since, size } = this.#followUp;
		const hasCome = this.#dataCame > since || look.size > size;
		if (hasCome || now - since > shortWait) this.#followUps.note(hasCome && this.#isInTime);
	}

	/** It has not, in the time that it had. */
	giveUp(): void {
		this.#noteCut();
		if (this.#followUp) this.#followUps.note(false);
	}

	/** Whether data that follows data still came when that had its time, and does until now. */
	get goesOn(): boolean {
		return this.#isCut && performance.now() - this.#dataCame <= longest + moment;
	}

	#noteCut(): void {
		const isAwaited = this.#followUp !== undefined && this.#followUps.isLeft;
		this.#isCut = (isAwaited || this.#isCut) && this.#isAskedOn && !this.#isInTime;
	}

	#followUpLeft({ timesLeft: { followUp }, unchanged }: Look): number {
		this.#isAskedOn = followUp > 0;
		const isRecent = Math.min(performance.now() - this.#dataCame, unchanged) <= longest + moment;
		return this.#followUps.isLeft && isRecent && this.#isInTime ? followUp : 0;
	}

	/** Data that follows data is waited for up to here. */
	get #isInTime(): boolean {
		return performance.now() < this.#acted + dataTimeout;
	}
}
