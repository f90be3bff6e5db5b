import { once } from 'node:events';
import { connect } from 'node:net';
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
