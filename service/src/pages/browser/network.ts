import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab, Request } from 'playwright-core';
import { outageOf } from '../outage.ts';
import { PageError } from '../page.ts';
import { proxyRefusal, throughProxy } from '../proxy.ts';
import { usualTimeout, type RequestSettings } from '../requestSettings.ts';
import { unchangedFor } from './documentChanges.ts';
import {
	bringsErrorPage,
	isEmptyAnswer,
	isTimeout,
	networkOutage,
	proxyFailureIn,
} from './failures.ts';

/** A page is quiet when it has asked for nothing, and nothing has changed in it, for so many milliseconds. */
const quietTime = 250;
/** Milliseconds to wait for that; some pages never are. */
const settleTimeout = 3_000;
/** Milliseconds between two looks for that. */
const lookInterval = 25;
/** Milliseconds for the scripts that a document waits for. */
const scriptTimeout = 10_000;

/** Requests that last as long as their page. */
const lasting = new Set(['eventsource', 'websocket', 'media', 'ping']);

/** Watches what a tab asks for, to tell when a page has done what an action set off. */
export class Network {
	readonly #tab: Tab;
	/** Milliseconds for the document of another page to load. */
	readonly #loadTimeout: number;
	readonly #proxy: string | undefined;
	readonly #signal: AbortSignal;
	readonly #underWay = new Set<Request>();
	#lastChange = 0;
	/** When the action was done, or what it opened had come: the page has `settleTimeout` from then. */
	#settlesSince = 0;
	/** Whether the document went on changing for all of that time: it is not waited for a second time. */
	#isRestless = false;
	#navigation: { request: Request; failure?: string } | undefined;
	#hasFailed = false;

	constructor(tab: Tab, settings: RequestSettings, signal: AbortSignal) {
		const { timeout = usualTimeout, proxy } = settings;
		this.#tab = tab;
		this.#proxy = proxy;
		this.#loadTimeout = timeout;
		this.#signal = signal;
		tab.on('request', (request) => this.#begun(request));
		tab.on('requestfinished', (request) => this.#ended(request));
		tab.on('requestfailed', (request) => this.#ended(request));
		tab.on('domcontentloaded', () => {
			this.#settlesSince = Date.now();
			this.#isRestless = false;
		});
	}

	/**
	 * Does something on the page and waits until the page is quiet. Resolves to true if that opened
	 * another page; throws a PageError if the other page failed. Images, scripts and the like that do
	 * not answer are no failure: the page is as it is without them.
	 */
	async settleAfter(action: () => Promise<unknown>): Promise<boolean> {
		this.#navigation = undefined;
		try {
			await action();
		} catch (error) {
			this.#hasFailed ||= bringsErrorPage(String(error));
			if (isEmptyAnswer(String(error))) await this.#checkStatus();
			throw error;
		}
		return this.settle();
	}

	/** The same for what an action has set off later. */
	async settle(): Promise<boolean> {
		this.#lastChange = this.#settlesSince = Date.now();
		await this.#quiet();
		await this.#parsed();
		await this.#quiet();
		return this.#checkNavigation();
	}

	/**
	 * Whether a page has failed in the tab. Chromium shows a page of its own about that, sooner or later: it
	 * may even come in place of a page that is asked for next, so none should be.
	 */
	get hasFailed(): boolean {
		return this.#hasFailed;
	}

	/** Whether the last action opened a page that no sent form has made. */
	get openedByAddress(): boolean {
		return this.#navigation !== undefined && !isPosted(this.#navigation.request);
	}

	async #quiet(): Promise<void> {
		let unchanged = quietTime;
		for (;;) {
			const limit = this.#isLoading() ? this.#loadTimeout : settleTimeout;
			if (Date.now() - this.#settlesSince >= limit || this.#tab.isClosed()) break;
			unchanged = this.#isSilent() && !this.#isRestless ? await unchangedFor(this.#tab) : quietTime;
			// While the page was asked, it may have begun to ask for something.
			if (this.#isSilent() && unchanged >= quietTime) return;
			const wait = Math.max(lookInterval, quietTime - unchanged);
			await sleep(wait, undefined, { signal: this.#signal });
		}
		this.#isRestless ||= unchanged < quietTime;
	}

	#isSilent(): boolean {
		return this.#underWay.size === 0 && Date.now() - this.#lastChange >= quietTime;
	}

	/** Waits until the whole document is there; one that waits for a script too long is read as it is. */
	async #parsed(): Promise<void> {
		await this.#tab
			.waitForLoadState('domcontentloaded', { timeout: scriptTimeout })
			.catch((error: unknown) => {
				if (!isTimeout(error)) throw error;
			});
	}

	#isLoading(): boolean {
		return this.#navigation !== undefined && this.#underWay.has(this.#navigation.request);
	}

	async #checkNavigation(): Promise<boolean> {
		if (!this.#navigation) return false;
		const { request, failure } = this.#navigation;
		const url = request.url();
		if (failure !== undefined && !isEmptyAnswer(failure)) {
			const ofProxy = this.#proxy === undefined ? undefined : proxyFailureIn(failure, this.#proxy);
			const { reason, outage } = ofProxy ?? { reason: failure, outage: networkOutage(failure) };
			throw new PageError(`${url} failed: ${reason}.`, { url, outage });
		}
		if (this.#isLoading()) {
			throw new PageError(`${url} did not load within ${this.#loadTimeout / 1000} seconds.`, {
				url,
				outage: { of: 'network', isSlow: true },
			});
		}
		await this.#checkStatus();
		return true;
	}

	/** Throws a PageError if a page has come whose status says that it is none. */
	async #checkStatus(): Promise<void> {
		const request = this.#navigation?.request;
		const response = await request?.response();
		if (!request || !response || response.status() < 400) return;
		const url = request.url();
		const status = response.status();
		if (status === 407 && this.#proxy !== undefined) {
			const { reason, outage } = proxyRefusal(this.#proxy, status);
			throw new PageError(`${url} could not be read: ${reason}.`, { url, outage });
		}
		const through = throughProxy(this.#proxy);
		throw new PageError(`${url} answered with HTTP status ${status}${through}.`, {
			url,
			outage: outageOf(status, response.headers()['retry-after'] ?? null),
		});
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
		if (this.#navigation?.request !== request) return;
		this.#settlesSince = Date.now();
		const failure = request.failure()?.errorText;
		if (!failure) return;
		this.#navigation.failure = failure;
		this.#hasFailed ||= bringsErrorPage(failure);
	}
}

/** Whether a form was sent with a request, or with the one that led to it. */
function isPosted(request: Request): boolean {
	const origin = request.redirectedFrom();
	return request.method() === 'POST' || (origin !== null && isPosted(origin));
}
