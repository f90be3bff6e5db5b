import { connect, type Socket } from 'node:net';
import { uuidOf } from '../support/service/taskFiles';

/** Asks the API for something, of whose answer no more is taken than what the machine keeps. */
export function idleReader(
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
	path: string,
): Socket {
	const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
	const lines = [
		`GET ${path} HTTP/1.1`,
		'Host: 127.0.0.1',
		`Authorization: Bearer ${apiKey}`,
		`x-cp-request-id: ${uuidOf('request')}`,
	];
	socket.write(`${lines.join('\r\n')}\r\n\r\n`);
	return socket;
}
