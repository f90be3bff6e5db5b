import { setTimeout as sleep } from 'node:timers/promises';
import { absoluteAddress, type AddressBase } from './absoluteAddress.ts';
import { PageError } from './page.ts';
import { withoutFragment } from '../text/withoutFragment.ts';

/** Where a page sends its reader on, by `<meta http-equiv="refresh">` or the header `Refresh`. */
export interface Refresh {
	url: string;
	/** Milliseconds after which it does. */
	after: number;
}

/** Milliseconds that are waited for at most: a page that says "you will be sent on" says no more than that. */
export const maxWait = 5_000;

/** Milliseconds after which a page is one to be read: it leads away who has left it open, as to a "signed out". */
const maxAfter = 30_000;

/** Times that pages send on to one another. */
export const maxRefreshes = 10;

/**
 * What the value of a refresh says, as the HTML standard reads it; undefined where it sends nobody on, or
 * only after a while, in which the page is read. `base`: what its address counts from; `address`: of the page.
 */
export function refreshIn(value: string, base: AddressBase, address: string): Refresh | undefined {
	const [, seconds = '', rest = ''] = /^\s*(\d+|(?=\.))[\d.]*([\s;,][^]*)?$/.exec(value) ?? [];
	if (seconds === '' && !/^\s*\./.test(value)) return undefined;
	const [, quote = '', written = ''] =
		/^\s*[;,]?\s*(?:url\s*=\s*)?(["']?)([^]*)$/i.exec(rest) ?? [];
	const [named = ''] = quote === '' ? [written.trim()] : written.split(quote);
	const url = named === '' ? address : absoluteAddress(named, base);
	// Where it has led to the place on the page that it names, it is done.
	const isPlace = url === address && url.includes('#');
	if (url === undefined || isPlace) return undefined;
	const after = Number(seconds) * 1000;
	const isItself = withoutFragment(url) === withoutFragment(address);
	return after > (isItself ? maxWait : maxAfter) ? undefined : { url, after };
}

/** Throws a PageError where a page sends on to what is no page. */
export function checkRefresh({ url }: Refresh): void {
	if (/^https?:$/.test(new URL(url).protocol)) return;
	throw new PageError(
		`The page redirects to "${url.slice(0, 200)}", which is not an http or https URL.`,
	);
}

/** Waits until a page sends on; throws as `checkRefresh` does, and the reason of `signal`. */
export async function untilSentOn(refresh: Refresh, signal: AbortSignal): Promise<void> {
	checkRefresh(refresh);
	const { after } = refresh;
	await sleep(Math.min(after, maxWait), undefined, { signal });
}
