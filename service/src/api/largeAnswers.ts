import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import PQueue from 'p-queue';
import { ServiceError } from '../errors/serviceError.ts';
import { ownTurn } from '../text/ownTurn.ts';

/** Characters of an answer that are read whoever else reads: what ends with them waits for nobody. */
export const smallAnswer = 64 * 1024;
/** Bytes of what a page lists: a client has to hold all of them, and so has this service. */
export const maxPageBytes = 32 * 1024 * 1024;
/** Bytes of large answers that wait to be taken by their clients. */
const maxHeld = 64 * 1024 * 1024;

/** Characters of an answer that are written before others have a turn. */
export const piece = 1024 * 1024;

/**
 * Has large answers sent piece by piece: to make bytes of all of one in a single turn keeps others waiting for as long
 * as to read it. After all hooks that look at the text.
 */
export function sendInPieces(server: FastifyInstance): void {
	server.addHook('onSend', (_request, reply, payload, done) => {
		if (typeof payload !== 'string' || payload.length <= piece) return done(null, payload);
		reply.header('content-length', Buffer.byteLength(payload));
		done(null, Readable.from(piecesOf(payload), { objectMode: false, highWaterMark: piece }));
	});
}

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
	for (let at = 0; at < text.length;) {
		const end = at + piece;
		// The two halves of a character stay together.
		const next = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
		yield Buffer.from(text.slice(at, next));
		at = next;
		await ownTurn();
	}
}

/**
 * Has large answers made one after the other, each when there is room for the largest beside those that their clients
 * have not taken yet: however many ask for them, memory is bounded, and others are answered in between.
 */
export class LargeAnswers {
	readonly #queue = new PQueue({ concurrency: 1 });
	#held = 0;

	/**
	 * Makes what a response is to say; `bytes` of it are held until the client has taken them, or has gone. `work` ends
	 * where its signal says that nobody waits any more: that throws, and so does the wait.
	 */
	make<Answer extends { bytes: number }>(
		response: ServerResponse,
		work: (signal: AbortSignal) => Promise<Answer>,
	): Promise<Answer> {
		const end = new AbortController();
		const { signal } = end;
		const leave = () => end.abort(nobodyWaits());
		if (response.destroyed) leave();
		else response.once('close', leave);
		const makeAndHold = async () => {
			const answer = await work(signal);
			signal.throwIfAborted();
			this.#hold(answer.bytes);
			signal.addEventListener('abort', () => this.#hold(-answer.bytes), { once: true });
			return answer;
		};
		return this.#queue.add(makeAndHold, { signal });
	}

	#hold(bytes: number): void {
		this.#held += bytes;
		if (this.#held + maxPageBytes > maxHeld) this.#queue.pause();
		else this.#queue.start();
	}
}

export function nobodyWaits(): ServiceError {
	return new ServiceError('unreadable', 'Nobody waits for this answer any more.');
}
