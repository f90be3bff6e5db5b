import { PageError, type MayAsk, type Snapshot } from '../page.ts';
import { refusedPage } from '../refusedPage.ts';
import { beginningOf } from '../../text/beginningOf.ts';
import type { Answer, Connection, DocumentRequest } from './connection.ts';
import { decoded } from './decoded.ts';

/** A document as it has come. */
export interface FetchedDocument extends Snapshot {
	/** The header `Refresh`, by which it sends on. */
	refresh?: string | null;
	/** The header `Referrer-Policy`. */
	referrerPolicy?: string | null;
}

const maxDocument = 10 * 1024 * 1024;
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5';

/** 204 "No Content" and 205 "Reset Content": a browser stays where it is. 206: a part that nobody asked for. */
const withoutPage = new Set([204, 205, 206]);

/**
 * Fetches an HTML or XML document of at most 10 MiB. Throws a PageError, or the reason of `signal` when that
 * is aborted.
 */
export async function fetchDocument(
	connection: Connection,
	request: DocumentRequest,
	{ signal, mayAsk }: { signal: AbortSignal; mayAsk?: MayAsk | undefined },
): Promise<FetchedDocument> {
	const { url } = request;
	return connection.ask(request, { accept, signal, mayAsk }, async (answer) => {
		const { status, header, address } = answer;
		const isPacked = isPackedXml(answer);
		const contentType = isPacked ? 'application/xml' : (header('content-type') ?? '');
		const hasPage = answer.ok && !withoutPage.has(status);
		if (!hasPage || !isHtml(contentType)) {
			answer.cancel();
			if (hasPage) {
				throw new PageError(`${url} is not an HTML page (content-type "${contentType}").`, { url });
			}
			throw refusedPage(url, {
				status,
				retryAfter: header('retry-after'),
				through: connection.through,
				answeredBy: answer.url,
			});
		}
		return {
			body: await readAll(isPacked ? decoded(answer.body, 'gzip') : answer.body, url, maxDocument),
			url: address,
			contentType,
			refresh: header('refresh'),
			referrerPolicy: header('referrer-policy'),
		};
	});
}

function isHtml(contentType: string): boolean {
	return contentType === '' || /html|xml/i.test(contentType);
}

/** As sitemaps are: packed where they are kept, and not for their way here. */
function isPackedXml({ address, header }: Answer): boolean {
	const isPacked = /gzip|octet-stream/i.test(header('content-type') ?? '');
	const isNamed = /\.xml\.gz$/i.test(URL.parse(address)?.pathname ?? '');
	return isPacked && isNamed && header('content-encoding') === null;
}

/** The whole body of an answer; throws a PageError when it is larger than it may be. */
export async function readAll(
	body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	url: string,
	maxBytes: number,
): Promise<Buffer> {
	const whole = await beginningOf(body, maxBytes);
	if (whole.length > maxBytes) {
		throw new PageError(`${url} has more than ${maxBytes} bytes.`, { url });
	}
	return whole;
}
