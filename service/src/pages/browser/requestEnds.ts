import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab, Request, Response } from 'playwright-core';

/** Bytes of an answer that come with its head. */
const smallAnswer = 16 * 1024;

/** Milliseconds for such an answer to have been read. */
const readTime = 500;

/** Milliseconds for an answer to come to its end by itself, and to bring anything more after that. */
const usualTime = 2_000;
const silence = 5_000;

/**
 * Has `ended` called with each request of a tab that has come to its end. A script that only tells something to its
 * site does not read the answer; where that is not to be stored, Chromium then keeps the rest of it back, and tells
 * nobody of the end. So the answer to a script has ended as well when it is small, or when nothing comes any more.
 */
export function onRequestEnd(tab: Tab, ended: (request: Request) => void): void {
	const underWay = new Set<Request>();
	const end = (request: Request) => {
		underWay.delete(request);
		ended(request);
	};
	const watch = async (response: Response) => {
		const request = response.request();
		if (request.resourceType() !== 'fetch') return;
		underWay.add(request);
		const length = Number(response.headers()['content-length'] ?? Infinity);
		const isSmall = length <= smallAnswer;
		await sleep(isSmall ? readTime : usualTime, undefined, { ref: false });
		while (underWay.has(request)) {
			if (isSmall || !(await bringsAnything(tab))) end(request);
		}
	};
	tab.on('requestfinished', end);
	tab.on('requestfailed', end);
	// Of a tab that is closed meanwhile, nothing is waited for.
	tab.on('response', (response) => void watch(response).catch(() => undefined));
}

/** Whether a tab gets anything of its answers for some time. */
async function bringsAnything(tab: Tab): Promise<boolean> {
	const session = await tab.context().newCDPSession(tab);
	try {
		let isSomething = false;
		session.on('Network.dataReceived', () => (isSomething = true));
		await session.send('Network.enable');
		await sleep(silence, undefined, { ref: false });
		return isSomething;
	} finally {
		await session.detach();
	}
}
