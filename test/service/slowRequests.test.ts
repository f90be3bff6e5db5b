import { runScript } from '../support/service/startService';

/** Prints what becomes of connections that send half a request to a server that waits a second. */
const script = `
	import { once } from 'node:events';
	import { connect } from 'node:net';
	import { text } from 'node:stream/consumers';
	import { pino } from 'pino';
	import { createServer } from './api/server.ts';

	const log = pino({ enabled: false });
	const server = createServer({ log, errorsAs200: false, requestTimeout: 1000 });
	server.post('/', () => ({}));
	await server.listen({ port: 0, host: '127.0.0.1' });
	const { port } = server.server.address();
	const body = 'POST / HTTP/1.1\\r\\nContent-Type: application/json\\r\\nContent-Length: 9\\r\\n\\r\\n{';
	const ends = ['', 'POST / HTTP/1.1\\r\\nCont', body].map(async (sent) => {
		const client = connect(port, '127.0.0.1');
		await once(client, 'connect');
		const start = Date.now();
		client.write(sent);
		const said = await text(client);
		return { said, milliseconds: Date.now() - start };
	});
	console.log(JSON.stringify(await Promise.all(ends)));
	await server.close();
	const { requestTimeout, headersTimeout } = createServer({ log, errorsAs200: false }).server;
	console.log(JSON.stringify({ requestTimeout, headersTimeout }));
`;

test('a request has to come whole within the time that it has', async () => {
	const [ends = '', limits = ''] = (await runScript(script)).split('\n');
	const connections = JSON.parse(ends) as { said: string; milliseconds: number }[];
	expect(connections).toHaveLength(3);
	for (const { said, milliseconds } of connections) {
		expect(said).toContain('{"code":9000000,"msg":"The request took too long to come."');
		expect(milliseconds).toBeGreaterThanOrEqual(900);
		expect(milliseconds).toBeLessThan(5000);
	}
	expect(JSON.parse(limits)).toEqual({ requestTimeout: 30_000, headersTimeout: 30_000 });
});
