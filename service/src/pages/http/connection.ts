import { isUtf8 } from 'node:buffer';
import { Agent, fetch, type Dispatcher, type Response } from 'undici';
import { networkOutage } from '../outage.ts';
import { PageError } from '../page.ts';
import { throughProxy } from '../proxy.ts';
import { defaultTimeout, defaultUserAgent, type RequestSettings } from '../requestSettings.ts';
import { withCookies } from './cookies.ts';
import { BrokenBody, decoded, leavingEncoded } from './decoded.ts';
import { forwardingTo } from './forwarding.ts';
import { proxyAgent, proxyFailureIn } from './viaProxy.ts';

export interface DocumentRequest {
	url: string;
	/** The encoded values of a form that is sent with POST. */
	form?: string;
}

/** What a site answers. */
export interface Answer extends Pick<Response, 'status' | 'ok' | 'headers' | 'url'> {
	/** Where it was found, with the fragment that a redirect or the request names. */
	address: string;
	/** Without its encodings. To read one that is not whole throws. */
	body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
	/** Leaves the body unread. */
	cancel(): Promise<void>;
}

/** Bytes of all headers of an answer, as in Chromium. */
const maxHeaderSize = 256 * 1024;

const direct = new Agent({ maxHeaderSize });

/** The statuses by which an answer sends on. */
const redirects = new Set([301, 302, 303, 307, 308]);

/** What one page asks sites through: it follows redirects and has cookies of its own, as a browser. */
export class Connection {
	readonly #settings: RequestSettings;
	readonly #timeout: number;
	readonly #proxy: ReturnType<typeof proxyAgent> | undefined;
	readonly #connections: ReturnType<typeof withCookies>;

	constructor(settings: RequestSettings) {
		this.#settings = settings;
		this.#timeout = settings.timeout ?? defaultTimeout;
		if (settings.proxy !== undefined) this.#proxy = proxyAgent(settings.proxy, maxHeaderSize);
		this.#connections = withCookies(this.#proxy ?? direct);
	}

	/** What is said behind an answer: the proxy, if there is one. */
	get through(): string {
		return throughProxy(this.#settings.proxy);
	}

	/**
	 * Sends a request and has its answer read within the time for a page. Throws what `read` throws as a
	 * PageError, one of its own, or the reason of `signal` when that is aborted.
	 */
	async ask<Result>(
		{ url, form }: DocumentRequest,
		{ accept, signal }: { accept: string; signal: AbortSignal },
		read: (answer: Answer) => Promise<Result>,
	): Promise<Result> {
		// AbortSignal.timeout would keep its memory for the whole time, long after a quick answer.
		const limit = new AbortController();
		const timer = setTimeout(() => limit.abort(), this.#timeout);
		let { hash } = new URL(url);
		let encoding = '';
		try {
			const response = await fetch(url, {
				dispatcher: this.#connections.compose(
					redirecting((named) => (hash = named)),
					leavingEncoded((named) => (encoding = named)),
				),
				headers: {
					accept,
					...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
					...lowerCased(this.#settings.headers),
					'user-agent': this.#settings.userAgent ?? defaultUserAgent,
				},
				signal: AbortSignal.any([signal, limit.signal]),
				...(form !== undefined && { method: 'POST', body: form }),
			});
			const { status, ok, headers, url: found, body } = response;
			return await read({
				status,
				ok,
				headers,
				url: found,
				address: found + hash,
				body: decoded(body ?? [], encoding),
				cancel: async () => body?.cancel(),
			});
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof PageError) throw error;
			throw this.#failure(url, error, limit.signal.aborted);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Its own connections to a proxy end. */
	close(): Promise<void> {
		return this.#proxy?.destroy() ?? Promise.resolve();
	}

	#failure(url: string, error: unknown, isLate: boolean): PageError {
		if (isLate) {
			return new PageError(`${url} could not be read: no answer within ${this.#timeout / 1000} s`, {
				url,
				outage: { of: 'network', isSlow: true },
			});
		}
		const { proxy } = this.#settings;
		const ofProxy = proxy === undefined ? undefined : proxyFailureIn(error, proxy);
		const { reason, outage } = ofProxy ?? {
			reason: networkReasonOf(error) + throughProxy(proxy),
			outage: error instanceof BrokenBody ? { of: 'network' as const } : networkOutage(error),
		};
		return new PageError(`${url} could not be read: ${reason}`, { url, outage });
	}
}

/** Has fetch read where a redirect leads as browsers do, and says which fragment it names: fetch keeps that to itself. */
function redirecting(note: (hash: string) => void): Dispatcher.DispatcherComposeInterceptor {
	return (dispatch) => (options, handler) =>
		dispatch(options, {
			...forwardingTo(handler),
			onResponseStart(controller, status, ...start) {
				const { rawHeaders } = controller;
				const isRedirect = redirects.has(status) && Array.isArray(rawHeaders);
				for (let at = 0; isRedirect && at < rawHeaders.length; at += 2) {
					if (String(rawHeaders[at]).toLowerCase() !== 'location') continue;
					const value = rawHeaders[at + 1] ?? '';
					const location = readLocation(Buffer.from(value.toString('latin1'), 'latin1'));
					rawHeaders[at + 1] = location;
					const [fragment] = /#.*$/.exec(location.toString()) ?? [];
					if (fragment !== undefined) note(new URL(fragment, 'http://any').hash);
				}
				handler.onResponseStart?.(controller, status, ...start);
			},
		});
}

/** Bytes that are no UTF-8 are meant as they are: fetch would put one and the same letter in their places. */
function readLocation(value: Buffer): Buffer {
	const written = value.toString('latin1').trim();
	const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
	return Buffer.from(isUtf8(value) ? written : written.replace(/[\x80-\xff]/g, escaped), 'latin1');
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}

/** fetch hides what happened in the cause of "fetch failed". */
function networkReasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause } = error;
	if (!(cause instanceof Error)) return error.message;
	const code = 'code' in cause ? String(cause.code) : '';
	// OpenSSL's own message is numbers and names of its source files.
	if ('reason' in cause && /^(ERR_SSL_|EPROTO)/.test(code)) {
		return `no TLS connection (${String(cause.reason)})`;
	}
	// Where all addresses of a name have failed, there is only a code.
	return cause.message || code;
}
