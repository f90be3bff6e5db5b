import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests that may wait on a connection for the answer to the one before; none of the usual clients sends any. */
const maxWaiting = 16;

type Exchange = [request: IncomingMessage, response: ServerResponse];

/**
 * Has the requests of one connection taken up one after the other, as their answers go out. Node.js would take up all
 * that stand in what it has read, thousands, whoever sends them: a connection on which more wait is closed.
 */
export function takeOneAtATime({ server }: FastifyInstance): void {
	const lines = new WeakMap<Socket, Exchange[]>();
	const listeners = server.listeners('request') as RequestListener[];
	const takeUp = ([request, response]: Exchange, line: Exchange[]): void => {
		response.once('close', () => {
			line.shift();
			const [next] = line;
			if (next && !next[0].socket.destroyed) takeUp(next, line);
		});
		for (const listener of listeners) listener(request, response);
	};
	server.removeAllListeners('request');
	server.on('request', (request, response) => {
		const { socket } = request;
		if (socket.destroyed) return;
		const line = lines.get(socket) ?? [];
		lines.set(socket, line);
		if (line.length > maxWaiting) return void socket.destroy();
		line.push([request, response]);
		if (line.length === 1) takeUp([request, response], line);
	});
}
