import { reasonOf } from '../../errors/thrown.ts';
import { Flood } from './flood.ts';
import { DocumentGone } from './isolatedWorld.ts';
import { PageError, type Outage } from '../page.ts';
import { proxyOutage, proxyRefusal, type ProxyFailure } from '../proxy.ts';
import { refusedPage } from '../refusedPage.ts';

/** Chromium's names of what happens between it and a site: the site itself has not refused the page. */
const networkFailure =
	/net::ERR_(CONNECTION|NAME_|DNS_|NETWORK_|ADDRESS_UNREACHABLE|INTERNET_|TIMED_OUT|EMPTY_RESPONSE|SOCKET_|TUNNEL_|PROXY_|INCOMPLETE_|CONTENT_(LENGTH_MISMATCH|DECODING_FAILED)|HTTP2_)/;

/** Its names of what this machine lacks to open one: memory, files, or room for temporary ones. */
const machineFailure =
	/net::ERR_(INSUFFICIENT_RESOURCES|OUT_OF_MEMORY|FILE_NO_SPACE|NO_BUFFER_SPACE)/;

/** A page that leads on to another one, and that to another one, without end. */
export class EndlessPages extends PageError {}

/** Whether Playwright threw this because something took too long. */
export function isTimeout(error: unknown): boolean {
	return error instanceof Error && error.name === 'TimeoutError';
}

/**
 * Whether Chromium shows a page of its own about a failure; it does not where it has given a page up
 * for another one.
 */
export function bringsErrorPage(failure: string): boolean {
	return /net::ERR_(?!ABORTED)/.test(failure);
}

/** Whether an address is that of a page which no site has made: what Chromium shows in the place of one. */
export function isOfBrowser(url: string): boolean {
	return /^(about|chrome-error):/.test(url);
}

/** Whether Chromium has given a page up, for another one, or because it was none. */
export function isAborted(failure: string | undefined): boolean {
	return failure !== undefined && failure.includes('net::ERR_ABORTED');
}

/** Whether an open page has put another one in the place of that which was asked for. */
export function isInterrupted(error: unknown): boolean {
	return String(error).includes('is interrupted by another navigation');
}

/** An answer that is nothing but a status is an error to Chromium. */
export function isEmptyAnswer(failure: string): boolean {
	return failure.includes('net::ERR_HTTP_RESPONSE_CODE_FAILURE');
}

/** What the text of a page's failure says of its site, or of this machine; undefined if it is of neither. */
export function pageOutage(text: string): Outage | undefined {
	return machineFailure.test(text) ? { of: 'machine' } : networkOutage(text);
}

/** What the text of a failure says of its site; undefined if it is not the network's. */
function networkOutage(text: string): Outage | undefined {
	if (!networkFailure.test(text)) return undefined;
	return { of: 'network', isSlow: /TIMED_OUT/.test(text) };
}

/**
 * What Chromium says of data that a page may not read: an answer of another origin without what lets it (CORS), as a rule an
 * error of a server in front of the one that would, or a log-in elsewhere; one that leads on and on, as where a session has
 * ended.
 */
const dataRefusals = new Set(['net::ERR_FAILED', 'net::ERR_TOO_MANY_REDIRECTS']);

/** What the text of a failure says of the site of data; undefined if it is not the network's. */
export function dataOutage(text: string): Outage | undefined {
	return dataRefusals.has(text) ? { of: 'answer' } : networkOutage(text);
}

/** Why a socket was not opened, as Chromium says it; `status`: of the answer, if there was one. */
export function socketRefusal(
	socket: { url(): string },
	why: string,
): { error: PageError; status?: number } {
	const url = socket.url();
	const [said] = /\b[45]\d\d$/.exec(why) ?? [];
	if (said === undefined) {
		return { error: new PageError(`${url} failed: ${why}.`, { outage: networkOutage(why) }) };
	}
	const status = Number(said);
	return { error: refusedPage(url, { status, retryAfter: null, through: '' }), status };
}

/** What the text of a failure says of the proxy; undefined if the proxy is not to blame for it. */
export function proxyFailureIn(text: string, proxy: string): ProxyFailure | undefined {
	const [code] = /net::ERR_(INVALID_AUTH_CREDENTIALS|PROXY_\w+|TUNNEL_\w+)/.exec(text) ?? [];
	if (code === undefined) return undefined;
	if (code.includes('_AUTH_')) return proxyRefusal(proxy, 407);
	return proxyOutage(proxy, code, networkOutage(text));
}

/** What is there no more: the process of a page, or the browser with all its pages. */
export type Gone = 'page' | 'browser' | undefined;

/** Of what Playwright keeps for all pages of a browser, it throws away what is old where one of them makes too much. */
const droppedObject = 'has been collected to prevent unbounded heap growth';

/** What is thrown while something is done on a page, as the page's failure. */
export function pageErrorOf(
	error: unknown,
	{ url, proxy, gone }: { url?: string | undefined; proxy?: string | undefined; gone: Gone },
): PageError {
	if (error instanceof PageError) return error;
	const said = String(error);
	const ofProxy = proxy === undefined ? undefined : proxyFailureIn(said, proxy);
	if (ofProxy) {
		const { reason, outage } = ofProxy;
		return new PageError(`The page could not be read: ${reason}`, { url, outage });
	}
	const [thrown] = reasonOf(error).split('\n');
	const isFile = said.includes('Download is starting');
	const reason = isFile ? 'The address brings a file to be downloaded, and no page.' : thrown;
	// Another page has come in the middle of it, and may be there by the next try.
	const isDropped = said.includes(droppedObject);
	const isOwn = gone !== undefined || isDropped || error instanceof DocumentGone;
	const isShared = gone === 'browser' || isDropped;
	const outage: Outage | undefined = isOwn ? { of: 'browser', isShared } : pageOutage(said);
	return new PageError(reason, { url, outage });
}

/** Whether a page is to blame for a failure, or its site, whatever the browser does meanwhile; or it is tried again anyway. */
export function isOwnFault(error: unknown): boolean {
	if (error instanceof Flood || error instanceof EndlessPages) return true;
	return error instanceof PageError && error.outage !== undefined;
}

/** What failed on a page while its browser hung, as the failure of that. */
export function hungBrowser(error: unknown): PageError {
	const [reason] = reasonOf(error).split('\n');
	const url = error instanceof PageError ? error.url : undefined;
	const said = `The browser did not answer promptly, perhaps because of another page. Meanwhile: ${reason}`;
	const outage = { of: 'browser', isShared: true } as const;
	return new PageError(said, { ...(url !== undefined && { url }), outage });
}
