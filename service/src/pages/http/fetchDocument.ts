import { Agent, fetch } from 'undici';
import { networkOutage, outageOf } from '../outage.ts';
import { PageError } from '../page.ts';

export interface DocumentRequest {
	url: string;
	/** The encoded values of a form that is sent with POST. */
	form?: string;
}

export interface FetchedDocument {
	body: Uint8Array;
	/** Where the document was found, after redirects. */
	url: string;
	/** The Content-Type header; empty if there is none. */
	contentType: string;
}

const timeout = 30_000;
const maximumBytes = 10 * 1024 * 1024;
const connections = new Agent();
const headers = {
	accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5',
	'user-agent': 'cloud-scraping-service',
};

/**
 * Fetches an HTML document of at most 10 MiB within 30 seconds, following redirects. Throws a
 * PageError, or the reason of `signal` when that is aborted.
 */
export async function fetchDocument(
	{ url, form }: DocumentRequest,
	signal: AbortSignal,
): Promise<FetchedDocument> {
	// AbortSignal.timeout would keep its memory for the whole time, long after a quick answer.
	const limit = new AbortController();
	const timer = setTimeout(() => limit.abort(), timeout);
	try {
		refuseCredentials(url);
		const response = await fetch(url, {
			dispatcher: connections,
			headers,
			signal: AbortSignal.any([signal, limit.signal]),
			...(form && { method: 'POST', body: new URLSearchParams(form) }),
		});
		const contentType = response.headers.get('content-type') ?? '';
		if (!response.ok || !isHtml(contentType)) {
			await response.body?.cancel();
			if (response.ok) {
				throw new PageError(`${url} is not an HTML page (content-type "${contentType}").`, { url });
			}
			throw new PageError(`${url} answered with HTTP status ${response.status}.`, {
				url: response.url,
				outage: outageOf(response.status, response.headers.get('retry-after')),
			});
		}
		return {
			body: await readAll(response.body ?? [], url),
			url: response.url,
			contentType,
		};
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof PageError) throw error;
		const isLate = limit.signal.aborted;
		const reason = isLate ? `no answer within ${timeout / 1000} s` : reasonOf(error);
		throw new PageError(`${url} could not be read: ${reason}`, {
			url,
			outage: isLate ? { of: 'network', isSlow: true } : networkOutage(error),
		});
	} finally {
		clearTimeout(timer);
	}
}

/** Sent with this address alone, they would be missing from the next one that the page leads to. */
function refuseCredentials(url: string): void {
	const { username, password, host } = new URL(url);
	if (username === '' && password === '') return;
	throw new PageError(
		`The address of a page on ${host} has a user name or password, which an http page does not send. Set "page" to "browser".`,
		{ url },
	);
}

function isHtml(contentType: string): boolean {
	return contentType === '' || /html|xml/i.test(contentType);
}

async function readAll(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, url: string) {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > maximumBytes) {
			throw new PageError(`${url} has more than ${maximumBytes} bytes.`, { url });
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** fetch hides what happened in the cause of "fetch failed". */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error ? error.cause.message : error.message;
}
