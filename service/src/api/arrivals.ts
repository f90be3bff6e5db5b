import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Milliseconds between two looks at the clock. */
const interval = 25;

/**
 * Tells when a request has come at the earliest, by the monotonic clock (`performance.now()`). In each turn, a process
 * takes up whatever has come by then: so a request has come after the last moment up to which everything else is
 * known to have been taken up. Where the process was held up (frozen, or without a core), that is long ago.
 */
export function watchArrivals(server: FastifyInstance): (request: FastifyRequest) => number {
	const begun = performance.now();
	/** Everything that had come by then has been taken up. */
	let taken = begun;
	let connections = 0;
	/** Up to the first turn without a new connection: what one brings is read in the turn after that. */
	const look = (at: number) => {
		const before = connections;
		setImmediate(() => {
			if (connections === before) taken = at;
			else look(at);
		});
	};
	const timer = setInterval(() => look(performance.now()), interval).unref();
	const arrivals = new WeakMap<IncomingMessage, number>();
	server.server.prependListener('connection', () => (connections += 1));
	server.server.prependListener('request', (message: IncomingMessage) => {
		arrivals.set(message, taken);
	});
	server.addHook('onClose', (_server, done) => {
		clearInterval(timer);
		done();
	});
	return ({ raw }) => arrivals.get(raw) ?? begun;
}

/**
 * Whether the client of a request has hung up before that was taken up: nobody hears the answer any more, and may have
 * asked elsewhere since.
 */
export async function isGivenUp(request: FastifyRequest): Promise<boolean> {
	// The end of a connection is read in the turn after what came before it.
	await nextTurn();
	await nextTurn();
	return hasHungUp(request);
}

/** Whether it is known by now that the client of a request has hung up. */
export function hasHungUp({ raw: { socket } }: FastifyRequest): boolean {
	return socket.destroyed || socket.writableEnded;
}
