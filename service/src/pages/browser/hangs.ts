import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser as Chromium } from 'playwright-core';
import { within } from './within.ts';

/** Milliseconds between two questions to a browser. */
const interval = 500;
/** Milliseconds for its answer, most of which take one: with more, it hangs, and so may any of its pages. */
const promptTime = 3_000;
/** Milliseconds after which it does not answer any more: then it is to be ended. */
export const maxSilence = 30_000;

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
	/** Resolves once it does not answer any more; never where it ends before. */
	readonly forGood: Promise<void>;

	static of(chromium: Chromium): Promise<Hangs> {
		const hangs = known.get(chromium) ?? Hangs.#watching(chromium);
		known.set(chromium, hangs);
		return hangs;
	}

	/**
	 * Of a browser two parts are asked: the one that all pages are led by, and the one that all requests go through, which a
	 * site can keep busy for ever, as by answers with status 103 without end. That knows the cookies.
	 */
	static async #watching(chromium: Chromium): Promise<Hangs> {
		const session = await chromium.newBrowserCDPSession();
		const ask = () =>
			Promise.all([session.send('Browser.getVersion'), session.send('Storage.getCookies')]);
		return new Hangs(ask, chromium);
	}

	private constructor(ask: () => Promise<unknown>, chromium: Chromium) {
		this.#ask = ask;
		this.forGood = new Promise((resolve) => void this.#askOn(chromium, resolve));
	}

	/** Begins to watch a page. What it returns tells whether hangs have taken so much of its time that it fails by them. */
	watch(): () => Promise<boolean> {
		const begin = performance.now();
		const before = this.#hung;
		return async () => {
			const isHeard = await this.isOver();
			const now = performance.now();
			const hung = this.#hung - before + (isHeard ? 0 : now - this.#answered);
			return hung > (now - begin) * hungShare;
		};
	}

	/** Whether its browser answers now. */
	async isOver(): Promise<boolean> {
		return (await within(promptTime, this.#hear())) === true;
	}

	async #askOn(chromium: Chromium, isForGood: () => void): Promise<void> {
		while (chromium.isConnected()) {
			const heard = this.#hear();
			// Where this process was held up itself, the answer is there a moment later.
			if (!(await within(maxSilence, heard)) && !(await within(promptTime, heard))) isForGood();
			await heard;
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
