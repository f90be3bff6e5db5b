import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createServer } from '../../service/src/api/server.ts';
import { stopwatch } from '../support/service/stopwatch';

const log = pino({ enabled: false });

const body = 'POST / HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';

test('a request has to come whole within the time that it has', async () => {
	const server = createServer({ log, errorsAs200: false, requestTimeout: 1_000 });
	server.post('/', () => ({}));
	const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
	const ends = ['', 'POST / HTTP/1.1\r\nCont', body].map(async (sent) => {
		const client = connect(Number(port), '127.0.0.1');
		await once(client, 'connect');
		const start = performance.now();
		const took = stopwatch();
		client.write(sent);
		const said = await text(client);
		return { said, waited: performance.now() - start, milliseconds: took() };
	});
	for (const { said, waited, milliseconds } of await Promise.all(ends)) {
		expect(said).toContain('{"code":9000000,"msg":"The request took too long to come."');
		expect(waited).toBeGreaterThanOrEqual(900);
		// Its connection is closed within three seconds.
		expect(milliseconds).toBeLessThan(4_000);
	}
	await server.close();
	const { requestTimeout, headersTimeout } = createServer({ log, errorsAs200: false }).server;
	expect({ requestTimeout, headersTimeout }).toEqual({
		requestTimeout: 30_000,
		headersTimeout: 30_000,
	});
});

test('a body that goes on behind its answer is not read on, and its client reads the answer', async () => {
	const server = createServer({ log, errorsAs200: false });
	const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
	const connected = once(server.server, 'connection');
	const client = connect(Number(port), '127.0.0.1');
	const [connection] = (await connected) as [Socket];
	const length = 100 * 1024 * 1024;
	client.write(
		`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
	);
	client.on('error', () => undefined);
	const closed = new Promise((resolve) => client.once('close', resolve));
	const answer = await new Promise<Buffer>((resolve) => client.once('data', resolve));
	expect(answer.toString()).toContain('There is no POST / here.');
	client.write(Buffer.alloc(length));
	await closed;
	expect(connection.bytesRead).toBeLessThan(1024 * 1024);
	await server.close();
});
