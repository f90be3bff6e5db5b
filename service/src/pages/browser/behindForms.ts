import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab, Request } from 'playwright-core';
import { pauseFor, pausesBehindForms } from '../outage.ts';
import type { PageError } from '../page.ts';
import type { Navigation } from './navigations.ts';

/**
 * A page may not be to be had for now that what a step has sent has led to, as a form, or that a later step opens: it is asked
 * for again by itself. With all steps before it, what was sent would be sent again, as an order.
 */
export class BehindForms {
	readonly #pauses = [...pausesBehindForms];
	#origin: Request | undefined;

	/**
	 * `why`: it is not to be had; `timeLeft`: milliseconds for it, from then on. False where it is not asked for again. Why
	 * that fails, its request tells.
	 */
	async askAgain(
		tab: Tab,
		{ request, origin }: Navigation,
		{
			why,
			timeLeft,
			signal,
		}: { why: PageError | undefined; timeLeft: () => number; signal: AbortSignal },
	): Promise<boolean> {
		const [pause] = this.#pauses;
		const time = pause === undefined ? undefined : pauseFor(why?.outage, pause);
		if (time === undefined) return false;
		this.#pauses.shift();
		await sleep(time, undefined, { signal });
		this.#origin = origin;
		const { referer } = request.headers();
		const timeout = Math.max(timeLeft(), 1);
		const arriving = { waitUntil: 'commit', timeout, ...(referer && { referer }) } as const;
		await tab.goto(request.url(), arriving).catch(() => undefined);
		this.#origin = undefined;
		return true;
	}

	/** Of a request for a page, the one that was made first. */
	originOf(request: Request): Request {
		return this.#origin ?? request;
	}
}
