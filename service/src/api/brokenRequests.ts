import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ServiceError } from '../errors/serviceError.ts';
import { failureEnvelope } from './errors.ts';

/** Connections whose last request was answered before all of it had come. */
const answeredEarly = new WeakSet<Socket>();

/** Bytes of a body that are taken behind the answer to its request. */
const maxUnread = 64 * 1024;
/** Milliseconds for a client to read an answer that has come before all of its request was sent. */
const readingTime = 1_000;

/**
 * A request is being answered. What has not come of its body yet is not read, but is taken, so that its connection goes
 * on with what comes next. Where that is much, the connection is ended: nobody has to be known for sending bodies on
 * and on. A client that is still sending has the time to read the answer.
 */
export function leaveUnread(request: IncomingMessage): void {
	const { socket } = request;
	// Those that are made up within the process have none.
	if (request.complete || !(socket instanceof Socket)) return;
	answeredEarly.add(socket);
	request.once('end', () => answeredEarly.delete(socket));
	let unread = 0;
	const take = ({ length }: Buffer) => {
		unread += length;
		if (unread <= maxUnread) return;
		request.off('data', take).pause();
		setTimeout(() => socket.destroy(), readingTime).unref();
	};
	request.on('data', take).resume();
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
