import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser as Chromium, Page as Tab } from 'playwright-core';
import { within } from './within.ts';

/** Milliseconds between two questions to a browser. */
const interval = 500;
/** Milliseconds for its answer, most of which take one: with more, it hangs, and so may any of its pages. */
const promptTime = 3_000;

const known = new WeakMap<Chromium, Promise<Hangs>>();

/**
 * When a browser did not answer promptly, or this process did not hear it. What fails on a page meanwhile is not
 * the fault of that page, which waits for the browser as we do: it is to be tried again.
 */
export class Hangs {
	readonly #ask: () => Promise<unknown>;
	/** When it has answered last, and when the last hang was over, by `performance.now()`. */
	#answered = performance.now();
	#over = -Infinity;

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
		void hangs.#watch(chromium);
		return hangs;
	}

	private constructor(ask: () => Promise<unknown>) {
		this.#ask = ask;
	}

	/** Whether there was a hang at any time since then, by `performance.now()`, or is one now. */
	async since(time: number): Promise<boolean> {
		const isHeard = await within(promptTime, this.#hear());
		return isHeard !== true || this.#over >= time;
	}

	async #watch(chromium: Chromium): Promise<void> {
		while (chromium.isConnected()) {
			await this.#hear();
			await sleep(interval, undefined, { ref: false });
		}
	}

	/** Resolves to true once the browser has answered, or is gone: that is seen elsewhere. */
	async #hear(): Promise<true> {
		await this.#ask().catch(() => undefined);
		const now = performance.now();
		if (now - this.#answered > interval + promptTime) this.#over = now;
		this.#answered = now;
		return true;
	}
}
