import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

// How connections of undici end before they should.

/** How many requests each connection has taken. */
const taken = new WeakMap<Socket, number>();
/** Errors of connections that were kept open from one request to the next. */
const ofKept = new WeakSet<Error>();

/**
 * Has a body without a length fail where its connection is reset, as browsers do. undici would take what
 * has come for all of it: it goes by the code of the error, so that a reset has the code of any other
 * broken connection from here on. And takes note of connections for `hasEndedKept`.
 */
export function watchConnectionEnds(): void {
	subscribe('undici:client:sendHeaders', (message) => {
		const socket = socketIn(message);
		if (socket) taken.set(socket, (taken.get(socket) ?? 0) + 1);
	});
	subscribe('undici:client:connected', (message) => {
		const socket = socketIn(message);
		socket?.prependListener('error', (error) => {
			if ((taken.get(socket) ?? 0) > 1) ofKept.add(error);
			if ('code' in error && error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET';
		});
	});
}

/**
 * Whether a request without an answer has gone out on a connection that was kept open, and has ended: its site had closed
 * that by then. What changes nothing is asked for again at once on another one (RFC 9110, 9.2.2), as browsers do.
 */
export function hasEndedKept(error: unknown): boolean {
	return error instanceof Error && ofKept.has(error);
}

function socketIn(message: unknown): Socket | undefined {
	const hasSocket = typeof message === 'object' && message !== null && 'socket' in message;
	return hasSocket && message.socket instanceof Socket ? message.socket : undefined;
}
