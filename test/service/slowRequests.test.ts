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

/** A client of a server that answers each POST at once, before its body has come. */
async function refusedClient() {
	const server = createServer({ log, errorsAs200: false });
	const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
	const connected = once(server.server, 'connection');
	const client = connect(Number(port), '127.0.0.1');
	const [connection] = (await connected) as [Socket];
	client.on('error', () => undefined);
	const closed = new Promise((resolve) => client.once('close', resolve));
	let said = '';
	client.on('data', (part) => (said += String(part)));
	/** Waits for so many answers. */
	const answers = (count: number) =>
		vi.waitFor(() => expect(said.match(/There is no POST \/ here\./g)).toHaveLength(count));
	return { server, client, connection, closed, answers };
}

const head = (length: string) =>
	`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
const inChunks = head('Transfer-Encoding: chunked');

test.each([
	['with its length', [head('Content-Length: 30000') + ' '.repeat(30_000)]],
	['with its length, later', [head('Content-Length: 30000'), ' '.repeat(30_000)]],
	['in chunks', [`${inChunks}2\r\n{}\r\n0\r\n\r\n`]],
	['in chunks, one after the other', [inChunks, '2\r\n{}\r\n', '4\r\n    \r\n', '0\r\n\r\n']],
])('behind a body %s, which nobody reads, its connection goes on', async (_how, parts) => {
	const { server, client, answers } = await refusedClient();
	for (const count of [1, 2, 3]) {
		for (const part of parts) {
			client.write(part);
			await answers(count);
		}
	}
	client.destroy();
	await server.close();
});

test.each([
	['with its length', head(`Content-Length: ${100 * 1024 * 1024}`), ''],
	['in chunks', inChunks, `${(100 * 1024 * 1024).toString(16)}\r\n`],
])(
	'a large body %s is not read on behind its answer, which its client reads',
	async (_how, begin, first) => {
		const { server, client, connection, closed, answers } = await refusedClient();
		client.write(begin);
		await answers(1);
		client.write(first);
		client.write(Buffer.alloc(100 * 1024 * 1024));
		await closed;
		expect(connection.bytesRead).toBeLessThan(1024 * 1024);
		await server.close();
	},
);
