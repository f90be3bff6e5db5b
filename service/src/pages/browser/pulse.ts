import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab } from 'playwright-core';
import { shortened } from '../../text/shortened.ts';
import { PageError } from '../page.ts';
import { defaultTimeout } from '../requestSettings.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import { within } from './within.ts';

/**
 * Milliseconds that a page may take to answer the simplest question, which waits until its scripts and
 * the questions before it are done: far more than honest work on 100,000 elements takes.
 */
const answerTimeout = 30_000;
/** Milliseconds beyond its time in which a busy machine brings the answer of a page that is fine. */
const grace = 2_000;
/** The part of its time for which a page has had the processor where it is to blame for it: with less, the machine is. */
const busyShare = 1 / 4;
/** How many times its time a page is given at most, however little of a processor it has had. */
const maxTimes = 4;
/** Milliseconds of work on a page between two such questions: most work ends before the first. */
const interval = 1_000;

/** Milliseconds for an action beyond those for a page to come, whatever the page does meanwhile. */
const workTimeout = 120_000;

/** A page does not answer: a script of it never ends, or takes as long as that. */
export class NoAnswer extends PageError {}

interface PulseSettings {
	/** Milliseconds for a page to come. One that is there has no longer for an answer. */
	timeout?: number | undefined;
	/** Whether another page is awaited: until that comes, the browser answers for none. */
	isAwaiting?: () => boolean;
	/** As `Hangs.watchWork`; absent: nobody knows how much pages work. */
	watchWork?: () => () => Promise<number>;
}

/** When another page has to be there, by `performance.now()`. */
export interface Arrival {
	deadline: number;
	/** Until then the page before it is asked: whether that answers matters only to leave it. */
	hasCome: boolean;
}

interface Question {
	answer: Promise<true>;
	/** Where it was not answered at once: whether pages have worked too little since to be to blame for that. */
	isIdle?: () => Promise<boolean>;
}

/**
 * Tells whether a tab's page still answers. Its scripts may keep it from that for ever, and then
 * whatever is asked of it, which Playwright waits for without end.
 */
export class Pulse {
	readonly #tab: Tab;
	readonly #world: IsolatedWorld;
	/** Milliseconds for a page to come. */
	readonly #timeout: number;
	readonly #isAwaiting: () => boolean;
	readonly #watchWork: () => () => Promise<number>;
	/** The question that is under way. */
	#question: Question | undefined;

	constructor(
		tab: Tab,
		world: IsolatedWorld,
		{
			timeout = defaultTimeout,
			isAwaiting = () => false,
			watchWork = () => () => Promise.resolve(Infinity),
		}: PulseSettings = {},
	) {
		this.#tab = tab;
		this.#world = world;
		this.#timeout = timeout;
		this.#isAwaiting = isAwaiting;
		this.#watchWork = watchWork;
	}

	/**
	 * Does something on the page, for as long as the page answers, but not for ever; throws NoAnswer when
	 * that is over. `arrival`: of the page that the work opens.
	 */
	async during<Result>(work: () => Promise<Result>, arrival?: Arrival): Promise<Result> {
		const done = new AbortController();
		try {
			return await Promise.race([work(), this.#silence(done.signal, arrival)]);
		} catch (error) {
			// Other limits may have been reached for no other reason.
			const isSaid = error instanceof PageError && !error.outage?.isSlow;
			if (isSaid || (await this.#answers(arrival))) throw error;
			throw this.#noAnswer();
		} finally {
			done.abort();
		}
	}

	async #silence(signal: AbortSignal, arrival: Arrival | undefined): Promise<never> {
		const milliseconds = this.#timeout + workTimeout;
		const end = performance.now() + milliseconds;
		do await sleep(interval, undefined, { signal });
		while (performance.now() < end && (await this.#answers(arrival)));
		if (performance.now() < end) throw this.#noAnswer();
		const url = this.#tab.url();
		throw new NoAnswer(
			`${shortened(url)} was not done with within ${milliseconds / 1000} seconds.`,
			{ url },
		);
	}

	/**
	 * Whether the page answers, or is not to blame for its silence: one that has had little of a processor meanwhile does
	 * not keep itself busy, and comes, or answers, as soon as the machine lets it.
	 */
	async #answers(arrival: Arrival | undefined): Promise<boolean> {
		if (this.#isAwaiting()) return true;
		const question = (this.#question ??= this.#ask());
		const patience = this.#patience(arrival);
		if (await within(Math.min(interval, patience), question.answer)) return true;
		const isIdle = (question.isIdle ??= this.#watch());
		const hasAnswered = await within(Math.max(patience - interval, 0), question.answer);
		return hasAnswered || this.#isAwaiting() || (await isIdle());
	}

	/** Begins to watch how much pages work. What it returns: whether they have had too little of a processor to be to blame. */
	#watch(): () => Promise<boolean> {
		const begin = performance.now();
		const worked = this.#watchWork();
		return async () => {
			const time = performance.now() - begin;
			if (time > this.#limit * maxTimes) return false;
			return (await worked()) < Math.min(time, this.#limit) * busyShare;
		};
	}

	/** Its answer comes once the page answers. One that goes away meanwhile has nothing to answer any more. */
	#ask(): Question {
		const over = (): true => {
			this.#question = undefined;
			return true;
		};
		return { answer: this.#world.call(() => true, undefined).then(over, over) };
	}

	/** Milliseconds for an answer; half of its time is left to a page that comes in another tab. */
	#patience(arrival: Arrival | undefined): number {
		if (!arrival) return this.#limit + grace;
		const left = Math.max(arrival.deadline - performance.now(), 0) + grace;
		return arrival.hasCome ? left : Math.min(left, Math.max(this.#limit / 2, grace));
	}

	get #limit(): number {
		return Math.min(this.#timeout, answerTimeout);
	}

	#noAnswer(): NoAnswer {
		const url = this.#tab.url();
		return new NoAnswer(
			`${shortened(url)} did not answer within ${this.#limit / 1000} seconds: its scripts, or a selector of the task, keep it busy.`,
			{ url },
		);
	}
}
