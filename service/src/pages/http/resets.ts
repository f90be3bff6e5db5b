import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

/**
 * Has a body without a length fail where its connection is reset, as browsers do. undici would take what
 * has come for all of it: it goes by the code of the error, so that a reset has the code of any other
 * broken connection from here on.
 */
export function failOnReset(): void {
	subscribe('undici:client:connected', (message) => {
		socketIn(message)?.prependListener('error', (error) => {
			if ('code' in error && error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET';
		});
	});
}

function socketIn(message: unknown): Socket | undefined {
	const hasSocket = typeof message === 'object' && message !== null && 'socket' in message;
	return hasSocket && message.socket instanceof Socket ? message.socket : undefined;
}
