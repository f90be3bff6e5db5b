import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'playwright-core';
import { outageOf } from '../outage.ts';
import { PageError } from '../page.ts';
import { refusedPage } from '../refusedPage.ts';
import { isAborted, networkOutage } from './failures.ts';

/** Milliseconds between two looks for an answer. */
const interval = 25;

const didNotCome = 'Data that the page has asked for did not come:';

/** What scripts ask for data by. */
const dataTypes = new Set(['fetch', 'xhr', 'script']);

/** Data that has not come, and may come if it is asked for once more. */
interface Failure {
	error: PageError;
	host: string;
	/** When that was seen, by the monotonic clock. */
	at: number;
}

/** The data that a page has asked for since the last action. */
export class AskedData {
	#underWay = new Set<Request>();
	/** What was waited for, and has not come. */
	#inVain: Request[] = [];
	/** Where data was asked for that has never come, as from sites that answer when there is news. */
	readonly #endless = new Set<string>();
	/** By what was asked: a script may have asked again, and got it. */
	#failures = new Map<string, Failure>();

	/** An action begins: what was asked for before is nothing of its own. */
	begin(): void {
		this.#underWay = new Set();
		this.#failures = new Map();
		this.#inVain = [];
	}

	asked(request: Request): void {
		if (dataTypes.has(request.resourceType())) this.#underWay.add(request);
	}

	/** `through`: by which proxy. */
	answered(response: Response, through: string): void {
		const request = response.request();
		if (!this.#underWay.has(request)) return;
		this.#failures.delete(nameOf(request));
		const status = response.status();
		const retryAfter = response.headers()['retry-after'] ?? null;
		if (!outageOf(status, retryAfter)) return;
		this.#fail(request, refusedPage(request.url(), { status, retryAfter, through }));
	}

	ended(request: Request): void {
		if (!this.#underWay.delete(request)) return;
		const failure = request.failure()?.errorText;
		const outage = failure === undefined || isAborted(failure) ? undefined : networkOutage(failure);
		if (!outage) return;
		this.#fail(request, new PageError(`${request.url()} failed: ${failure}.`, { outage }));
	}

	/** What has not come to an end. */
	get unanswered(): Request[] {
		return [...this.#underWay];
	}

	/** Whether any of these has not come to an end. */
	awaits(requests: Request[]): boolean {
		return requests.some((request) => this.#underWay.has(request));
	}

	/**
	 * Waits until what is under way has come to an end, or `isOver`; true if it came. `host`: only for data of the
	 * site of that host. What was waited for in vain is not waited for again on another page.
	 */
	async settled(
		isOver: () => boolean,
		{ host, signal }: { host?: string | undefined; signal: AbortSignal },
	): Promise<boolean> {
		const awaited = this.unanswered.filter((request) => {
			const from = placeOf(request);
			return !this.#endless.has(from.name) && (host === undefined || isOfSameSite(from.host, host));
		});
		if (!this.awaits(awaited)) return false;
		while (this.awaits(awaited)) {
			if (isOver()) {
				this.#inVain = awaited.filter((request) => this.#underWay.has(request));
				for (const request of this.#inVain) this.#endless.add(placeOf(request).name);
				return false;
			}
			await sleep(interval, undefined, { signal });
		}
		return true;
	}

	/** Which data of the site of that host has not come; undefined: all has. */
	lack(host: string): string | undefined {
		const isOwn = (from: string) => isOfSameSite(from, host);
		for (const { error, host: from } of this.#failures.values()) {
			if (isOwn(from)) return `${didNotCome} ${error.message}`;
		}
		const late = this.#inVain.map(placeOf).find((place) => isOwn(place.host));
		return late && `${didNotCome} ${late.name} has not answered.`;
	}

	/**
	 * Throws a PageError where data has failed to come that may come if it is asked for once more; `what`: a
	 * sentence about what is missing for want of it. `since`: by the monotonic clock. `host`: only data of the site of that host.
	 */
	check(what: string, { since = 0, host }: { since?: number; host?: string } = {}): void {
		for (const { error, at, host: from } of this.#failures.values()) {
			if (at < since || (host !== undefined && !isOfSameSite(from, host))) continue;
			throw new PageError(`${what} ${didNotCome} ${error.message}`, {
				outage: error.outage,
			});
		}
	}

	#fail(request: Request, error: PageError): void {
		const { host } = placeOf(request);
		this.#failures.set(nameOf(request), { error, host, at: performance.now() });
	}
}

function placeOf(request: Request): { host: string; name: string } {
	const { hostname = '', origin = '', pathname = '' } = URL.parse(request.url()) ?? {};
	return { host: hostname, name: origin + pathname };
}

function nameOf(request: Request): string {
	return `${request.method()} ${request.url()} ${request.postData() ?? ''}`;
}

/** As `api.shop.example` is of `www.shop.example`: they differ in their first label. */
function isOfSameSite(one: string, other: string): boolean {
	const siteOf = (host: string) =>
		host.split('.').length > 2 ? host.replace(/^[^.]*\./, '') : host;
	const [first, second] = [siteOf(one), siteOf(other)];
	return (
		one === other || first === second || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
	);
}
