import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { networkOutage, outageOf, pauseFor, pausesBehindForms } from '../outage.ts';
import { PageError, type MayAsk, type Outage } from '../page.ts';
import { throughProxy } from '../proxy.ts';
import { withoutFragment } from '../../text/withoutFragment.ts';
import { defaultTimeout, defaultUserAgent, type RequestSettings } from '../requestSettings.ts';
import { isNamed, secretsApart } from '../secretHeaders.ts';
import { hasEndedKept, watchConnectionEnds } from './connectionEnds.ts';
import { Cookies } from './cookies.ts';
import { BrokenBody, decoded } from './decoded.ts';
import type { FormBody } from './formBody.ts';
import { ReferrerOfRequest, type Referrer } from './referrer.ts';
import { askable, maxRedirects, redirected, type SentRequest } from './redirects.ts';
import { TimeLimit } from './timeLimit.ts';
import { proxyAgent, proxyFailureIn } from './viaProxy.ts';

export interface DocumentRequest {
	url: string;
	/** A form that is sent with POST. */
	form?: FormBody;
	/** The page that leads there; absent: none does. */
	referrer?: Referrer;
	/** Whether it stands behind a form that was sent. */
	isBehindForm?: boolean;
}

/** What a site answers. */
export interface Answer {
	status: number;
	/** Whether that is one of success. */
	ok: boolean;
	/** What a header says; null where there is none. */
	header(this: void, name: string): string | null;
	/** Where it was found. */
	url: string;
	/** The same with the fragment that a redirect or the request names. */
	address: string;
	/** Without its encodings. To read one that is not whole throws. */
	body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
	/** Leaves the body unread. */
	cancel(): void;
}

/** Answers that say no more than that another one comes, as 103 does: of them a site may send any number. */
const maxAhead = 20;
/** Bytes of all headers of an answer, as in Chromium. */
const maxHeaderSize = 256 * 1024;

/** Milliseconds that a connection stays open which nobody uses, whatever its site says: there may be any number of sites. */
const keepAliveMaxTimeout = 4_000;

watchConnectionEnds();
const connecting = { maxHeaderSize, keepAliveMaxTimeout };
const connectingOnce = { ...connecting, pipelining: 0 };
const direct = [new Agent(connecting), new Agent(connectingOnce)] as const;

/** What one page asks sites through: it follows redirects and has cookies of its own, as a browser. */
export class Connection {
	readonly #settings: RequestSettings;
	readonly #timeout: number;
	/** Connections that are kept for the next request, and those that are made for one. */
	readonly #kept: Dispatcher;
	readonly #anew: Dispatcher;
	readonly #cookies = new Cookies();
	/** Those of the task. */
	readonly #headers: ReturnType<typeof secretsApart>;

	constructor(settings: RequestSettings) {
		this.#settings = settings;
		this.#headers = secretsApart(lowerCased(settings.headers));
		this.#timeout = settings.timeout ?? defaultTimeout;
		const { proxy } = settings;
		[this.#kept, this.#anew] =
			proxy === undefined
				? direct
				: [proxyAgent(proxy, connecting), proxyAgent(proxy, connectingOnce)];
	}

	/** What is said behind an answer: the proxy, if there is one. */
	get through(): string {
		return throughProxy(this.#settings.proxy);
	}

	/**
	 * Sends a request and has its answer read within the time for a page, which does not count what `mayAsk` waits
	 * for. Throws what these two throw as a PageError, one of its own, or the reason of `signal` when that is aborted.
	 */
	async ask<Result>(
		request: DocumentRequest,
		{
			accept,
			signal,
			mayAsk,
		}: { accept: string; signal: AbortSignal; mayAsk?: MayAsk | undefined },
		read: (answer: Answer) => Promise<Result>,
	): Promise<Result> {
		signal.throwIfAborted();
		const { url, form } = request;
		const end = new AbortController();
		const callOff = () => end.abort();
		signal.addEventListener('abort', callOff);
		const limit = new TimeLimit(this.#timeout, callOff);
		/** Where the request that is under way goes to. */
		let at = url;
		let { onSend } = form ? this.#settings : {};
		const enter = async (next: string) => {
			at = next;
			if (mayAsk) await limit.except(() => mayAsk(next));
			if (!onSend) return;
			signal.throwIfAborted();
			const tell = onSend;
			onSend = undefined;
			const sent = { what: `POST ${url}`, isForm: true, isAside: false, isRefused: () => false };
			await limit.except(() => tell(sent));
		};
		const headers = {
			accept,
			'accept-language': '*',
			...(form !== undefined && { 'content-type': form.contentType }),
			...this.#headers.others,
			'user-agent': this.#settings.userAgent ?? defaultUserAgent,
		};
		try {
			const rest = (milliseconds: number) =>
				limit.except(() => sleep(milliseconds, undefined, { signal: end.signal }));
			return await read(await this.#follow({ ...request, headers }, { enter, rest }, end.signal));
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof PageError) throw error;
			throw this.#failure(url, error, { at, isLate: limit.isOver });
		} finally {
			limit.end();
			signal.removeEventListener('abort', callOff);
		}
	}

	async #follow(
		first: SentRequest,
		{ enter, rest }: { enter: MayAsk; rest: (milliseconds: number) => Promise<void> },
		signal: AbortSignal,
	): Promise<Answer> {
		let request = first;
		let pauses = first.isBehindForm ? [...pausesBehindForms] : [];
		const from = first.referrer?.url;
		const referrer = new ReferrerOfRequest(first.referrer);
		for (let count = 0; count <= maxRedirects; count += 1) {
			const { url, headers, form } = request;
			const address = askable(url);
			await enter(url);
			const isPosted = form !== undefined;
			const { sites = new Set<string>() } = this.#settings;
			const secrets = isNamed(address, sites) ? this.#headers.secrets : {};
			const asking = { given: secrets.cookie, from, isPosted };
			const sent = {
				...referrer.headers(address, isPosted),
				...headers,
				...secrets,
				...this.#cookies.header(url, asking),
			};
			const asked = this.#send({ ...request, headers: sent }, address, signal);
			const [pause] = isPosted ? [] : pauses;
			const outage = pause === undefined ? undefined : await outageIn(asked);
			const time = pause === undefined ? undefined : pauseFor(outage, pause);
			if (time !== undefined) {
				pauses.shift();
				await rest(time);
				continue;
			}
			const answer = await asked;
			const next = redirected(request, answer.status, answer.header('location') ?? undefined);
			if (!next) return answer;
			answer.cancel();
			if (isPosted && next.form === undefined) pauses = [...pausesBehindForms];
			request = next;
			referrer.redirected(url, next.url, answer.header('referrer-policy'));
		}
		throw new Error(`more than ${maxRedirects} redirects`);
	}

	async #send(
		{ url, form, headers }: SentRequest,
		address: URL,
		signal: AbortSignal,
	): Promise<Answer> {
		const { origin, protocol } = address;
		let ahead = 0;
		const ask = (connections: Dispatcher) =>
			connections.request({
				origin,
				path: pathOf(address),
				method: form === undefined ? 'GET' : 'POST',
				headers: {
					'accept-encoding': protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate',
					...headers,
				},
				body: form?.body,
				signal,
				onInfo() {
					ahead += 1;
					if (ahead > maxAhead) throw new Error(`more than ${maxAhead} answers with status 1xx`);
				},
			});
		const asked = ask(this.#kept).catch((error: unknown) => {
			// What was sent may have been counted all the same.
			if (form !== undefined || !hasEndedKept(error)) throw error;
			return ask(this.#anew);
		});
		const { statusCode: status, headers: said, body } = await asked;
		this.#cookies.take(url, [said['set-cookie'] ?? []].flat());
		const header = (name: string) => {
			const value = said[name];
			return Array.isArray(value) ? value.join(', ') : (value ?? null);
		};
		return {
			status,
			ok: status >= 200 && status < 300,
			header,
			url: withoutFragment(url),
			address: url,
			body: decoded(body, header('content-encoding') ?? ''),
			cancel: () => void body.on('error', () => undefined).destroy(),
		};
	}

	/** Its own connections to a proxy end. */
	async close(): Promise<void> {
		if (this.#settings.proxy === undefined) return;
		await Promise.all([this.#kept.destroy(), this.#anew.destroy()]);
	}

	#failure(
		url: string,
		error: unknown,
		{ at, isLate }: { at: string; isLate: boolean },
	): PageError {
		if (isLate) {
			return new PageError(`${url} could not be read: no answer within ${this.#timeout / 1000} s`, {
				url: at,
				outage: { of: 'network', isSlow: true },
			});
		}
		const { proxy } = this.#settings;
		const ofProxy = proxy === undefined ? undefined : proxyFailureIn(error, proxy);
		const { reason, outage } = ofProxy ?? {
			reason: networkReasonOf(error) + throughProxy(proxy),
			outage: error instanceof BrokenBody ? { of: 'network' as const } : networkOutage(error),
		};
		return new PageError(`${url} could not be read: ${reason}`, { url: at, outage });
	}
}

/** Why what is asked for is not to be had for now; undefined: it is, or that is not known. An answer that says so is left unread. */
async function outageIn(asked: Promise<Answer>): Promise<Outage | undefined> {
	try {
		const answer = await asked;
		const outage = outageOf(answer.status, answer.header('retry-after'));
		if (outage) answer.cancel();
		return outage;
	} catch (error) {
		return networkOutage(error);
	}
}

/** What is asked of its host: also a query that is empty, which `search` does not tell from none. */
function pathOf({ href, pathname, search }: URL): string {
	const isEmptyQuery = withoutFragment(href).endsWith('?');
	return pathname + (isEmptyQuery ? '?' : search);
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}

function networkReasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error ? String(error.code) : '';
	// OpenSSL's own message is numbers and names of its source files.
	if ('reason' in error && /^(ERR_SSL_|EPROTO)/.test(code)) {
		return `no TLS connection (${String(error.reason)})`;
	}
	// Where all addresses of a name have failed, there is only a code.
	return error.message || code;
}
