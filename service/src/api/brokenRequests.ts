import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors/serviceError.ts';
import { failureEnvelope } from './errors.ts';

/** Connections whose last request was answered before all of it had come. */
const answeredEarly = new WeakSet<Socket>();

/** Remembers an answer, so that the rest of its request is not answered once more. */
export function noteAnswered(request: IncomingMessage): void {
	if (!request.complete) answeredEarly.add(request.socket);
}

/** Answers what is no HTTP request, or does not come to its end, and closes the connection. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
	// What follows the last request of a connection is not answered.
	if (error.code === 'HPE_CLOSED_CONNECTION') return;
	if (error.code === 'ECONNRESET' || !socket.writable || answeredEarly.has(socket)) {
		socket.destroy();
		return;
	}
	const message =
		error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
			? 'The request took too long to come.'
			: 'This is not a readable HTTP request.';
	const failure = new ServiceError('unreadable', message);
	const body = JSON.stringify(failureEnvelope(failure));
	socket.end(
		[
			`HTTP/1.1 400 ${STATUS_CODES[400]}`,
			'Content-Type: application/json; charset=utf-8',
			`Content-Length: ${Buffer.byteLength(body)}`,
			'Connection: close',
			'',
			body,
		].join('\r\n'),
	);
}
