import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser as Chromium, CDPSession } from 'playwright-core';
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
	readonly #session: CDPSession;
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

	static async #watching(chromium: Chromium): Promise<Hangs> {
		return new Hangs(await chromium.newBrowserCDPSession(), chromium);
	}

	private constructor(session: CDPSession, chromium: Chromium) {
		this.#session = session;
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

	/**
	 * Begins to watch how much pages work. What it returns: the milliseconds of a processor that the busiest process of a
	 * page has had since; none where the browser, which is kept from it as they are, does not say.
	 */
	watchWork(): () => Promise<number> {
		const beginning = this.#worked();
		return async () => {
			const [before, now] = await Promise.all([beginning, this.#worked()]);
			if (!before || !now) return 0;
			const since = [...now].map(([id, seconds]) => seconds - (before.get(id) ?? 0));
			return Math.max(0, ...since) * 1000;
		};
	}

	/** The seconds of a processor that each process of pages has had. */
	async #worked(): Promise<Map<number, number> | undefined> {
		const asked = this.#session.send('SystemInfo.getProcessInfo').catch(() => undefined);
		const answer = await within(promptTime, asked);
		const pages = answer && answer.processInfo.filter(({ type }) => type === 'renderer');
		return pages && new Map(pages.map(({ id, cpuTime }) => [id, cpuTime]));
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

	/**
	 * Of a browser two parts are asked: the one that all pages are led by, and the one that all requests go through, which a
	 * site can keep busy for ever, as by answers with status 103 without end. That knows the cookies.
	 */
	#ask(): Promise<unknown> {
		const session = this.#session;
		return Promise.all([session.send('Browser.getVersion'), session.send('Storage.getCookies')]);
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
