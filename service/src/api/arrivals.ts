import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Milliseconds between two looks at the clock, and from when on a process has been held up. */
const interval = 100;
const heldUp = 300;

/**
 * Tells when a request that is taken up now has come at the earliest, by the monotonic clock (`performance.now()`):
 * where the process was held up (frozen, or without a core) just now, when that began.
 */
export function watchArrivals(server: FastifyInstance): () => number {
	let last = performance.now();
	let pause = { from: last, until: -Infinity };
	const look = () => {
		const now = performance.now();
		if (now - last > heldUp) pause = { from: last, until: now };
		last = now;
		return now;
	};
	const timer = setInterval(look, interval).unref();
	server.addHook('onClose', (_server, done) => {
		clearInterval(timer);
		done();
	});
	return () => {
		const now = look();
		return now - pause.until < heldUp ? pause.from : now;
	};
}

/**
 * Whether the client of a request has hung up before that was taken up: nobody hears the answer any more, and may have
 * asked elsewhere since.
 */
export async function isGivenUp({ raw: { socket } }: FastifyRequest): Promise<boolean> {
	// The end of a connection is read in the turn after what came before it.
	await nextTurn();
	await nextTurn();
	return socket.destroyed || socket.writableEnded;
}
