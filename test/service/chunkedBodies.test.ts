import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createServer } from '../../service/src/api/server.ts';

const server = createServer({ log: pino({ enabled: false }), errorsAs200: false });
server.post('/', ({ body }) => ({ body }));
let port: number;

beforeAll(async () => {
	port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => server.close());

/** What is answered to a body in these chunks. */
async function answerTo(chunks: string[]): Promise<string> {
	const client = connect(port, '127.0.0.1');
	await once(client, 'connect');
	const head =
		'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
	const said = text(client);
	client.write(
		head + chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join(''),
	);
	client.write('0\r\n\r\n');
	return said;
}

test('a body that comes in chunks is read', async () => {
	expect(await answerTo(['{"a"', ':', '"b"}'])).toContain('{"body":{"a":"b"}}');
	expect(await answerTo([...`["${'x'.repeat(50_000)}"]`])).toContain('xxx"]}');
});

test('one of more than 128 KiB is refused, and the answer is read', async () => {
	const answer = await answerTo(Array.from({ length: 3 }, () => ' '.repeat(500_000)));
	expect(answer).toContain('413 Payload Too Large');
	expect(answer).toContain('The body has more than 128 KiB in chunks: send Content-Length.');
});

test('one that breaks off costs nobody anything', async () => {
	const client = connect(port, '127.0.0.1');
	await once(client, 'connect');
	client.write(
		'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"',
	);
	client.destroy();
	expect(await answerTo(['{}'])).toContain('{"body":{}}');
});
