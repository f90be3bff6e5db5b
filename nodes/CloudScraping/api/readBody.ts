/** Larger answers are not read to the end: a page of rows is some megabytes at most. */
const mostBytes = 64 * 1024 * 1024;

/** An answer that would take too much memory. */
export class BodyTooLargeError extends Error {
	override name = 'BodyTooLargeError';

	constructor() {
		super(`The answer is larger than ${mostBytes / 1024 / 1024} MB.`);
	}
}

/** The text of a body that arrives in pieces. Throws a BodyTooLargeError, or the network's error. */
export async function readBody(body: unknown): Promise<string> {
	if (typeof body === 'string') return body;
	if (!isPieces(body)) return '';
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of body) {
		if (!(piece instanceof Uint8Array)) continue;
		bytes += piece.byteLength;
		// Leaving the loop destroys the stream and with it the connection.
		if (bytes > mostBytes) throw new BodyTooLargeError();
		pieces.push(piece);
	}
	return Buffer.concat(pieces, bytes).toString('utf8');
}

function isPieces(body: unknown): body is AsyncIterable<unknown> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
