import { isObject } from './json';

/** Larger answers are not read to the end: a page of rows is some megabytes at most. */
const maxBytes = 64 * 1024 * 1024;

/** What holds unless the header says otherwise, and where it is wrong. */
const defaultCharset = 'utf-8';

/** An answer that would take too much memory. */
export class BodyTooLargeError extends Error {
	override name = 'BodyTooLargeError';

	constructor() {
		super(`The answer is larger than ${maxBytes / 1024 / 1024} MB.`);
	}
}

/**
 * The text of a response whose body arrives in pieces, decoded as its header says. Throws a
 * BodyTooLargeError, or the network's error.
 */
export async function readBody(response: unknown): Promise<string> {
	const { body, headers } = isObject(response) ? response : {};
	if (typeof body === 'string') return body;
	if (!isPieces(body)) return '';
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of body) {
		if (!(piece instanceof Uint8Array)) continue;
		bytes += piece.byteLength;
		// Leaving the loop destroys the stream and with it the connection.
		if (bytes > maxBytes) throw new BodyTooLargeError();
		pieces.push(piece);
	}
	return decoded(Buffer.concat(pieces, bytes), charsetIn(headers));
}

function isPieces(body: unknown): body is AsyncIterable<unknown> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** The charset that `Content-Type` names; nothing when it names none. */
function charsetIn(headers: unknown): string | undefined {
	const type = isObject(headers) ? headers['content-type'] : undefined;
	return typeof type === 'string' ? /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] : undefined;
}

/**
 * Bytes as text in the charset, else in UTF-8. Bytes that are neither become a text that says so: as
 * it is no JSON, it is no answer of the API, and no value is changed in silence.
 */
function decoded(bytes: Uint8Array, charset = defaultCharset): string {
	for (const label of [charset, defaultCharset]) {
		try {
			return new TextDecoder(label, { fatal: true }).decode(bytes);
		} catch {
			// An unknown name, or bytes that are no text in this charset.
		}
	}
	const named = charset.toLowerCase() === defaultCharset ? '' : `${charset.slice(0, 40)} or `;
	return `(bytes that are not text in ${named}UTF-8)`;
}
