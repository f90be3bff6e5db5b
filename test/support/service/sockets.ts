import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * What is done with the messages of one socket, which comes with its address and what sends a text on it; undefined: it is
 * not taken.
 */
export type SocketAnswer = (
	url: URL,
	send: (text: string) => void,
) => ((text: string) => void) | undefined;

/** Has a server take the sockets of its pages, after `opening` milliseconds of their address; messages are short texts. */
export function answerSockets(server: Server, answer: SocketAnswer): void {
	server.on('upgrade', ({ url = '', headers }, socket: Duplex) => {
		const said = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
		const accept = createHash('sha1').update(said).digest('base64');
		const taken = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
		const address = new URL(url, 'http://site');
		const send = (text: string) => {
			const bytes = Buffer.from(text);
			const size =
				bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 255];
			if (socket.writable) socket.write(Buffer.from([0x81, ...size, ...bytes]));
		};
		const heard = answer(address, send);
		if (!heard) {
			const refused =
				'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
			return void socket.end(refused);
		}
		setTimeout(() => socket.write(taken), Number(address.searchParams.get('opening')));
		let left = Buffer.alloc(0);
		socket.on('error', () => undefined);
		socket.on('data', (chunk: Buffer) => {
			left = Buffer.concat([left, chunk]);
			for (let size = sizeIn(left); size !== undefined; size = sizeIn(left)) {
				const mask = left.subarray(size.from - 4, size.from);
				const bytes = left.subarray(size.from, size.end);
				if ((left.readUInt8(0) & 15) === 1) {
					heard(Buffer.from(bytes.map((each, index) => each ^ (mask[index % 4] ?? 0))).toString());
				}
				left = left.subarray(size.end);
			}
		});
		socket.on('end', () => socket.end());
	});
}

/** Where the first message begins and ends in what has come; undefined: not all of it has. */
function sizeIn(bytes: Buffer): { from: number; end: number } | undefined {
	if (bytes.length < 6) return undefined;
	const short = bytes.readUInt8(1) & 127;
	const isLong = short === 126;
	const from = isLong ? 8 : 6;
	const end = from + (isLong ? bytes.readUInt16BE(2) : short);
	return bytes.length < end ? undefined : { from, end };
}
