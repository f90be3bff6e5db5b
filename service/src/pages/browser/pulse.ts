import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab } from 'playwright-core';
import { PageError } from '../page.ts';
import { usualTimeout } from '../requestSettings.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import { within } from './within.ts';

/**
 * Milliseconds that a page may take to answer the simplest question, which waits until its scripts and
 * the questions before it are done: far more than honest work on 100,000 elements takes.
 */
const answerTimeout = 30_000;
/** Milliseconds of work on a page between two such questions: most work ends before the first. */
const interval = 1_000;

/** Milliseconds for an action beyond those for a page to come, whatever the page does meanwhile. */
const workTimeout = 120_000;

/** A page does not answer: a script of it never ends, or takes as long as that. */
export class NoAnswer extends PageError {}

/**
 * Tells whether a tab's page still answers. Its scripts may keep it from that for ever, and then
 * whatever is asked of it, which Playwright waits for without end.
 */
export class Pulse {
	readonly #tab: Tab;
	readonly #world: IsolatedWorld;
	readonly #answerTimeout: number;
	readonly #workTimeout: number;
	/** The question that is under way. */
	#asked: Promise<boolean> | undefined;

	/** `timeout`: for a page to come, in milliseconds. */
	constructor(
		tab: Tab,
		world: IsolatedWorld,
		{ timeout = usualTimeout, answer = answerTimeout }: { timeout?: number; answer?: number } = {},
	) {
		this.#tab = tab;
		this.#world = world;
		this.#answerTimeout = answer;
		this.#workTimeout = timeout + workTimeout;
	}

	/**
	 * Does something on the page, for as long as the page answers, but not for ever; throws NoAnswer when
	 * that is over.
	 */
	async during<Result>(work: () => Promise<Result>): Promise<Result> {
		const done = new AbortController();
		try {
			return await Promise.race([work(), this.#silence(done.signal)]);
		} catch (error) {
			// Other limits may have been reached for no other reason.
			const isSaid = error instanceof PageError && !error.outage?.isSlow;
			if (isSaid || (await this.#answers())) throw error;
			throw this.#noAnswer();
		} finally {
			done.abort();
		}
	}

	async #silence(signal: AbortSignal): Promise<never> {
		const end = performance.now() + this.#workTimeout;
		do await sleep(interval, undefined, { signal });
		while (performance.now() < end && (await this.#answers()));
		if (performance.now() < end) throw this.#noAnswer();
		const [url, seconds] = [this.#tab.url(), this.#workTimeout / 1000];
		throw new NoAnswer(`${url} was not done with within ${seconds} seconds.`, { url });
	}

	#answers(): Promise<boolean> {
		this.#asked ??= this.#ask().finally(() => (this.#asked = undefined));
		return this.#asked;
	}

	async #ask(): Promise<boolean> {
		// A page that goes away meanwhile has nothing to answer any more.
		const answer = this.#world
			.call(() => true, undefined)
			.then(
				() => true,
				() => true,
			);
		return (await within(this.#answerTimeout, answer)) ?? false;
	}

	#noAnswer(): NoAnswer {
		const url = this.#tab.url();
		return new NoAnswer(
			`${url} did not answer within ${this.#answerTimeout / 1000} seconds: its scripts, or a selector of the task, keep it busy.`,
			{ url },
		);
	}
}
