import type { Request } from 'playwright-core';
import { PageError } from '../page.ts';
import { pageOutage, proxyFailureIn } from './failures.ts';
import { proxyRefusal, throughProxy } from '../proxy.ts';
import { refusedPage } from '../refusedPage.ts';

// What was asked for a page, and what was answered.

/** Why the answer to a request, by its status, is no page; undefined if it is one. */
export async function refusalOf(
	request: Request,
	proxy: string | undefined,
): Promise<PageError | undefined> {
	const response = await request.response();
	if (!response) return undefined;
	const url = request.url();
	const status = response.status();
	// Nobody asks for a part of a page (206): rows would be missing from it. 304 says that a page is as it was.
	if ((status < 300 && status !== 206) || status === 304) return undefined;
	if (status === 407 && proxy !== undefined) {
		const { reason, outage } = proxyRefusal(proxy, status);
		return new PageError(`${url} could not be read: ${reason}.`, { url, outage });
	}
	const retryAfter = response.headers()['retry-after'] ?? null;
	return refusedPage(url, { status, retryAfter, through: throughProxy(proxy) });
}

/** Why none has come: what the browser says. */
export function failedPage(url: string, failure: string, proxy: string | undefined): PageError {
	const ofProxy = proxy === undefined ? undefined : proxyFailureIn(failure, proxy);
	const { reason, outage } = ofProxy ?? { reason: failure, outage: pageOutage(failure) };
	return new PageError(`${url} failed: ${reason}.`, { url, outage });
}

/** Why none is there any more: what was opened at `url` has led to what is none. */
export function ledNowhere(url: string | undefined): PageError {
	const said =
		'The page leads to an address that is not an http or https URL, or that the browser opens for no page.';
	return new PageError(said, { url });
}

/** `timeout`: milliseconds. */
export function latePage(url: string, timeout: number): PageError {
	const said = `${url} did not load within ${timeout / 1000} seconds.`;
	return new PageError(said, { url, outage: { of: 'network', isSlow: true } });
}

/** Whether a form was sent with a request, or with the one that led to it. */
export function isPosted(request: Request): boolean {
	const origin = request.redirectedFrom();
	return request.method() === 'POST' || (origin !== null && isPosted(origin));
}

/** The address that was asked for before redirects have led to this one; undefined: a form was sent. */
export function firstAddressOf(request: Request): string | undefined {
	if (isPosted(request)) return undefined;
	const origin = request.redirectedFrom();
	return origin === null ? request.url() : firstAddressOf(origin);
}
