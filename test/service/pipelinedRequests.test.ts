import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createServer } from '../../service/src/api/server.ts';

// Requests that a client sends on one connection without waiting for answers.

/** What the server answers to these, and how many it worked on at once at most, and in all. */
async function ask(paths: string[]) {
	const server = createServer({ log: pino({ enabled: false }), errorsAs200: false });
	const load = { now: 0, most: 0, all: 0 };
	server.get('/:name', async ({ params }) => {
		load.all += 1;
		load.most = Math.max(load.most, (load.now += 1));
		await sleep(20);
		load.now -= 1;
		return params;
	});
	const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
	try {
		const client = connect(Number(port), '127.0.0.1');
		let text = '';
		client.on('data', (part) => (text += String(part)));
		client.on('error', () => undefined);
		const last = paths.length - 1;
		client.write(
			paths
				.map((path, index) => {
					const end = index === last ? 'Connection: close\r\n' : '';
					return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${end}\r\n`;
				})
				.join(''),
		);
		await new Promise((resolve) => client.once('close', resolve));
		return { names: [...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name), load };
	} finally {
		await server.close();
	}
}

test('are answered one after the other', async () => {
	const { names, load } = await ask(['/a', '/b', '/c', '/d']);
	expect(names).toEqual(['a', 'b', 'c', 'd']);
	expect(load.most).toBe(1);
});

test('close their connection where too many wait', async () => {
	const { load } = await ask(Array.from({ length: 20_000 }, (_, index) => `/r${index}`));
	expect(load).toMatchObject({ most: 1, all: 1 });
});
