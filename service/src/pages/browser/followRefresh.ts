import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab, Response } from 'playwright-core';
import { checkRefresh, maxWait, refreshIn, type Refresh } from '../refresh.ts';
import type { Look } from './lookAt.ts';

/** Milliseconds for a browser to follow a refresh after its time: that counts from when all of the page is there. */
const grace = 1_000;
/** Milliseconds between two looks for that. */
const interval = 25;

/** Where the page of an answer, found at `url`, sends its reader on to; undefined if it does not. */
export function refreshOf(
	url: string,
	response: Response,
	{ refreshes, base, encoding }: Look,
): Refresh | undefined {
	const header = response.headers()['refresh'];
	return [...(header === undefined ? [] : [header]), ...refreshes]
		.map((value) => refreshIn(value, { url: base, encoding }, url))
		.find((found) => found !== undefined);
}

/**
 * Waits until a tab has followed a refresh, up to `end` by the monotonic clock. One that takes longer than people
 * wait for is followed at once then. Throws a PageError where it leads to no page, and the reason of `signal`.
 */
export async function followRefresh(
	tab: Tab,
	refresh: Refresh,
	{ isGone, end, signal }: { isGone: () => boolean; end: number; signal: AbortSignal },
): Promise<void> {
	checkRefresh(refresh);
	const { url, after } = refresh;
	const isLate = after > maxWait;
	const until = Math.min(performance.now() + (isLate ? maxWait : after + grace), end);
	while (!isGone() && performance.now() < until) await sleep(interval, undefined, { signal });
	// Why that fails, its request tells.
	if (!isGone() && isLate) await tab.goto(url, { waitUntil: 'commit' }).catch(() => undefined);
}
