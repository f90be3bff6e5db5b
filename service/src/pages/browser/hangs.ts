import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser as Chromium, Page as Tab } from 'playwright-core';
import { within } from './within.ts';

/** Milliseconds between two questions to a browser. */
const interval = 500;
/** Milliseconds for its answer, most of which take one: with more, it hangs, and so may any of its pages. */
const promptTime = 3_000;

const known = new WeakMap<Chromium, Promise<Hangs>>();

/** The part of the time of a page that hangs take at least, where it fails by them. */
const hungShare = 1 / 4;

/**
 * How long a browser did not answer, or this process did not hear it. A page that has failed by that is to be tried
 * again: it waits for the browser as we do. One that had most of its time fails by itself, however busy the machine.
 */
export class Hangs {
	readonly #ask: () => Promise<unknown>;
	/** When it has answered last, by `performance.now()`. */
	#answered = performance.now();
	/** Milliseconds of all hangs that are over. */
	#hung = 0;

	/** Of the browser that a tab is in. */
	static async of(tab: Tab): Promise<Hangs> {
		const chromium = tab.context().browser();
		if (!chromium) throw new Error('The browser is gone.');
		const hangs = known.get(chromium) ?? Hangs.#watching(chromium);
		known.set(chromium, hangs);
		return hangs;
	}

	static async #watching(chromium: Chromium): Promise<Hangs> {
		const session = await chromium.newBrowserCDPSession();
		const hangs = new Hangs(() => session.send('Browser.getVersion'));
		void hangs.#askOn(chromium);
		return hangs;
	}

	private constructor(ask: () => Promise<unknown>) {
		this.#ask = ask;
	}

	/** Begins to watch a page. What it returns tells whether hangs have taken so much of its time that it fails by them. */
	watch(): () => Promise<boolean> {
		const begin = performance.now();
		const before = this.#hung;
		return async () => {
			const isHeard = await within(promptTime, this.#hear());
			const now = performance.now();
			const hung = this.#hung - before + (isHeard ? 0 : now - this.#answered);
			return hung > (now - begin) * hungShare;
		};
	}

	async #askOn(chromium: Chromium): Promise<void> {
		while (chromium.isConnected()) {
			await this.#hear();
			await sleep(interval, undefined, { ref: false });
		}
	}

	/** Resolves to true once the browser has answered, or is gone: that is seen elsewhere. */
	async #hear(): Promise<true> {
		await this.#ask().catch(() => undefined);
		const now = performance.now();
		const silence = now - this.#answered;
		if (silence > interval + promptTime) this.#hung += silence;
		this.#answered = now;
		return true;
	}
}
