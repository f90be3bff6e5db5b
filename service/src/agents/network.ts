import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab, Request } from 'playwright-core';
import { PageError } from './page.ts';

/** A page is quiet when it has asked for nothing for so many milliseconds. */
const quietTime = 250;
/** Milliseconds to wait for that; some pages never are. */
const settleTimeout = 3_000;
/** Milliseconds for another page to load. */
const loadTimeout = 30_000;

/** Requests that last as long as their page. */
const lasting = new Set(['eventsource', 'websocket', 'media', 'ping']);

/** Watches what a tab asks for, to tell when a page has done what an action set off. */
export class Network {
	readonly #tab: Tab;
	readonly #signal: AbortSignal;
	readonly #underWay = new Set<Request>();
	#lastChange = 0;
	#navigation: { request: Request; failure?: string } | undefined;

	constructor(tab: Tab, signal: AbortSignal) {
		this.#tab = tab;
		this.#signal = signal;
		tab.on('request', (request) => this.#begun(request));
		tab.on('requestfinished', (request) => this.#ended(request));
		tab.on('requestfailed', (request) => this.#ended(request));
	}

	/**
	 * Does something on the page and waits until the page is quiet. Resolves to true if that opened
	 * another page; throws a PageError if the other page failed.
	 */
	async settleAfter(action: () => Promise<unknown>): Promise<boolean> {
		this.#navigation = undefined;
		await action();
		this.#lastChange = Date.now();
		await this.#quiet();
		await this.#tab.waitForLoadState('load', { timeout: loadTimeout });
		return this.#checkNavigation();
	}

	/** Whether the last action opened a page that no sent form has made. */
	get openedByAddress(): boolean {
		return this.#navigation !== undefined && !isPosted(this.#navigation.request);
	}

	async #quiet(): Promise<void> {
		const start = Date.now();
		for (;;) {
			const now = Date.now();
			const limit = this.#isLoading() ? loadTimeout : settleTimeout;
			if (this.#underWay.size === 0 && now - this.#lastChange >= quietTime) return;
			if (now - start >= limit) return;
			await sleep(25, undefined, { signal: this.#signal });
		}
	}

	#isLoading(): boolean {
		return this.#navigation !== undefined && this.#underWay.has(this.#navigation.request);
	}

	async #checkNavigation(): Promise<boolean> {
		if (!this.#navigation) return false;
		const { request, failure } = this.#navigation;
		if (failure !== undefined) throw new PageError(`${request.url()} failed: ${failure}.`);
		if (this.#isLoading()) {
			throw new PageError(`${request.url()} did not load within ${loadTimeout / 1000} seconds.`);
		}
		const status = (await request.response())?.status() ?? 200;
		if (status >= 400) throw new PageError(`${request.url()} answered with HTTP status ${status}.`);
		return true;
	}

	#begun(request: Request): void {
		if (lasting.has(request.resourceType())) return;
		if (request.isNavigationRequest() && request.frame() === this.#tab.mainFrame()) {
			this.#navigation = { request };
		}
		this.#underWay.add(request);
		this.#lastChange = Date.now();
	}

	#ended(request: Request): void {
		if (!this.#underWay.delete(request)) return;
		this.#lastChange = Date.now();
		const failure = request.failure()?.errorText;
		if (this.#navigation?.request === request && failure) this.#navigation.failure = failure;
	}
}

/** Whether a form was sent with a request, or with the one that led to it. */
function isPosted(request: Request): boolean {
	const origin = request.redirectedFrom();
	return request.method() === 'POST' || (origin !== null && isPosted(origin));
}
