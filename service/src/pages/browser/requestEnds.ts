import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab, Request, Response } from 'playwright-core';
import { kindOf } from './requestKinds.ts';

/** Milliseconds for an answer to come to its end by itself, and to bring anything more after that. */
const usualTime = 2_000;
const silence = 6_000;
/** Bytes of an answer that come with its head, or right behind it, and milliseconds for them. */
const smallLength = 32_768;
const smallTime = 500;

/**
 * Has `ended` called with each request of a tab that has come to its end. A script that only tells something to its
 * site does not read the answer (`isUnread`); where that is not to be stored, or stands in its store already, Chromium
 * keeps the rest of it back, and tells nobody of the end. So such an answer has ended, too, when nothing more comes; others of its kind, as where a
 * script tells something again and again, are waited for no longer than small ones.
 */
export function onRequestEnd(tab: Tab, ended: (request: Request, isUnread: boolean) => void): void {
	const heldBack = new Set<Request>();
	/** The kinds that nobody has read. */
	const unread = new Set<string>();
	const end = (request: Request, isUnread = false) => {
		heldBack.delete(request);
		ended(request, isUnread);
	};
	const watch = async (response: Response) => {
		const request = response.request();
		const { 'cache-control': caching = '', 'content-length': length } = response.headers();
		if (request.resourceType() !== 'fetch') return;
		if (!/\bno-store\b/i.test(caching) && !(await isRevalidated(request))) return;
		const kind = kindOf(request);
		const isSmall = Number(length ?? Infinity) <= smallLength || unread.has(kind);
		heldBack.add(request);
		await sleep(isSmall ? smallTime : usualTime, undefined, { ref: false });
		if (isSmall && heldBack.has(request)) end(request, true);
		while (heldBack.has(request)) {
			if (await bringsMore(tab)) continue;
			unread.add(kind);
			for (const each of heldBack) if (kindOf(each) === kind) end(each, true);
		}
	};
	tab.on('requestfinished', (request) => {
		if (unread.size > 0) unread.delete(kindOf(request));
		end(request);
	});
	tab.on('requestfailed', (request) => end(request));
	// Of a tab that is closed meanwhile, nothing is waited for.
	tab.on('response', (response) => void watch(response).catch(() => undefined));
}

/** Whether Chromium has asked only whether what it had stored is as it was. */
async function isRevalidated(request: Request): Promise<boolean> {
	const headers = await request.allHeaders();
	return 'if-none-match' in headers || 'if-modified-since' in headers;
}

/** Whether a tab gets anything more of the answers that have begun, for some time. */
async function bringsMore(tab: Tab): Promise<boolean> {
	const session = await tab.context().newCDPSession(tab);
	try {
		let isMore = false;
		const later = new Set<string>();
		session.on('Network.responseReceived', ({ requestId }) => later.add(requestId));
		session.on('Network.dataReceived', ({ requestId }) => (isMore ||= !later.has(requestId)));
		await session.send('Network.enable');
		await sleep(silence, undefined, { ref: false });
		return isMore;
	} finally {
		await session.detach();
	}
}
