import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab, Request, Response } from 'playwright-core';
import { isAborted } from './failures.ts';
import { kindOf } from './requestKinds.ts';

/** Milliseconds for an answer to come to its end by itself, and to bring anything more after that. */
const usualTime = 2_000;
const silence = 6_000;
/** Bytes of an answer that come with its head, or right behind it, and milliseconds for them. */
const smallLength = 32_768;
const smallTime = 500;

/**
 * Has `ended` called with each request of a tab that has come to its end. A script that only tells something to its
 * site does not read the answer (`isUnread`); where that is not to be stored, Chromium keeps the rest of it back, and
 * tells nobody of the end. So such an answer has ended, too, when nothing more comes; others of its kind, as where a
 * script tells something again and again, are waited for no longer than small ones.
 */
export function onRequestEnd(tab: Tab, ended: (request: Request, isUnread: boolean) => void): void {
	const unstored = new Set<Request>();
	/** The kinds that nobody has read. */
	const unread = new Set<string>();
	const end = (request: Request, isUnread = false) => {
		unstored.delete(request);
		ended(request, isUnread);
	};
	const watch = async (response: Response) => {
		const request = response.request();
		const { 'cache-control': caching = '', 'content-length': length } = response.headers();
		const isUnstored = /\bno-store\b/i.test(caching);
		if (!isUnstored || request.resourceType() !== 'fetch') return;
		const kind = kindOf(request);
		const isSmall = Number(length ?? Infinity) <= smallLength || unread.has(kind);
		unstored.add(request);
		await sleep(isSmall ? smallTime : usualTime, undefined, { ref: false });
		if (isSmall && unstored.has(request)) {
			unread.add(kind);
			end(request, true);
		}
		while (unstored.has(request)) {
			if (await bringsMore(tab)) continue;
			unread.add(kind);
			for (const each of unstored) if (kindOf(each) === kind) end(each, true);
		}
	};
	tab.on('requestfinished', (request) => {
		if (unread.size > 0) unread.delete(kindOf(request));
		end(request);
	});
	tab.on('requestfailed', (request) => {
		// Chromium gives up what nobody can read any more: it was answered.
		end(request, unread.has(kindOf(request)) && isAborted(request.failure()?.errorText));
	});
	// Of a tab that is closed meanwhile, nothing is waited for.
	tab.on('response', (response) => void watch(response).catch(() => undefined));
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
