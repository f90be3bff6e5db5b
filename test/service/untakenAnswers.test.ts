import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { pino } from 'pino';
import { createServer } from '../../service/src/api/server.ts';
import { cutUntakenAnswers } from '../../service/src/api/untakenAnswers.ts';
import { startService } from '../support/inProcess/startService';
import { cloudClient } from '../support/service/cloudClient';

/** More than the machine keeps for a client that does not read. */
const large = 'x'.repeat(64 * 1024 * 1024);

test('a client that takes nothing of its answer is cut', async () => {
	const server = createServer({ log: pino({ enabled: false }), errorsAs200: false });
	cutUntakenAnswers(server, 50);
	server.get('/', () => large);
	const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
	const accepted = once(server.server, 'connection');
	const client = connect(Number(port), '127.0.0.1');
	client.pause();
	client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
	const [socket] = (await accepted) as [Socket];
	if (!socket.destroyed) await once(socket, 'close');
	expect(socket.bytesWritten).toBeGreaterThan(0);
	client.destroy();
	await server.close();
});

test('each answer of the API has 30 seconds until some of it is taken', async () => {
	const service = await startService();
	const limits = new Map<string, number | undefined>();
	const note = (message: unknown) => {
		const { request, socket } = message as { request: { url: string }; socket: Socket };
		limits.set(request.url.replace(/\?.*/, ''), socket.timeout);
	};
	subscribe('http.server.response.finish', note);
	const client = cloudClient(service);
	await client.call('/cloud/data');
	await client.call('/cloud/start', { body: {} });
	unsubscribe('http.server.response.finish', note);
	expect(Object.fromEntries(limits)).toEqual({
		'/cloud/data': 30_000,
		'/cloud/start': 30_000,
	});
	await service.stop();
});
