import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { beginningOf } from '../text/beginningOf.ts';

/**
 * Bytes of a body that comes in chunks, without a length: each chunk, of a single byte too, costs far more memory and time
 * than what is in it.
 */
const maxChunked = 128 * 1024;

/** Has bodies that come in chunks put into one piece before anything reads them, and refuses those that are larger. */
export function gatherChunks(server: FastifyInstance): void {
	server.addHook('preParsing', async ({ headers }, _reply, payload) => {
		if (headers['transfer-encoding'] === undefined || !(payload instanceof Readable))
			return payload;
		// The connection is to stay open for the answer.
		const chunks = payload.iterator({ destroyOnReturn: false });
		const body = await beginningOf(chunks, maxChunked).catch((error: unknown) => {
			throw new ServiceError('unreadable', 'The body has not come whole.', { cause: error });
		});
		if (body.length > maxChunked) throw tooLarge;
		return Readable.from([body]);
	});
}

const tooLarge = new ServiceError(
	'tooLarge',
	'The body has more than 128 KiB in chunks: send Content-Length.',
);
