import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { Readable, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { answerSockets, type SocketAnswer } from './sockets';

export interface SiteRequest {
	method: string;
	url: URL;
	body: string;
	headers: IncomingMessage['headers'];
	/** Resolves when the connection is closed. */
	closed: Promise<unknown>;
}

/** HTML to answer with, or a status and whatever else is not a plain page. */
export type SiteAnswer =
	| string
	| {
			status?: number;
			headers?: Record<string, string | string[]>;
			/** A stream is sent as it comes, behind headers that wait for nothing. */
			body?: string | Buffer | Readable;
	  };

export interface Site {
	baseUrl: string;
	/** Every request so far. */
	requests: SiteRequest[];
	stop(): Promise<void>;
}

/**
 * A web site of a test, on loopback; `answer` says what each request gets, a broken connection where it
 * throws. `port`: 0 is a free one. `answerSocket`: for pages that open some.
 */
export async function startSite(
	answer: (request: SiteRequest) => SiteAnswer | Promise<SiteAnswer>,
	port = 0,
	answerSocket?: SocketAnswer,
): Promise<Site> {
	const requests: SiteRequest[] = [];
	// By default Node.js closes a connection that was idle for five seconds: on a busy machine just when it is used again.
	const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
		respond(request, response).catch(() => request.socket.resetAndDestroy());
	});
	const sockets = new Set<Duplex>();
	if (answerSocket) answerSockets(server, answerSocket);
	server.on('upgrade', (_request, socket) => sockets.add(socket));
	const baseUrl = `http://127.0.0.1:${await listen(server, port)}`;

	async function respond(request: IncomingMessage, response: ServerResponse) {
		const seen = {
			method: request.method ?? '',
			url: new URL(request.url ?? '/', baseUrl),
			body: await text(request),
			headers: request.headers,
			closed: once(response, 'close'),
		};
		requests.push(seen);
		const said = await answer(seen);
		const {
			status = 200,
			headers = {},
			body = '',
		} = typeof said === 'string' ? { body: said } : said;
		response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
		if (!(body instanceof Readable)) return void response.end(body);
		response.flushHeaders();
		body.pipe(response);
	}

	return {
		baseUrl,
		requests,
		stop: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
				for (const socket of sockets) socket.destroy();
			}),
	};
}

/** Ports that sites of this process have had: a service remembers for a minute what was wrong with one. */
const knownPorts = new Set<number>();

/** Has a server listen on a port of loopback, or, for 0, on one that is free and that no site had before. */
export async function listen(server: Server, port = 0): Promise<number> {
	for (;;) {
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
		const address = server.address();
		if (address === null || typeof address === 'string') throw new Error('The server has no port.');
		const isNew = !knownPorts.has(address.port);
		knownPorts.add(address.port);
		if (port !== 0 || isNew) return address.port;
		await new Promise((resolve) => server.close(resolve));
	}
}
