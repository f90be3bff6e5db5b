import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../../../playground/ports.ts';

describe('free ports', () => {
	it('are given once each, and lie below those that the system gives to others', async () => {
		const ports: number[] = [];
		for (let count = 0; count < 300; count += 1) ports.push(await freePort());
		expect(new Set(ports).size).toBe(300);
		expect(Math.min(...ports)).toBeGreaterThanOrEqual(20_000);
		expect(Math.max(...ports)).toBeLessThan(32_768);
	});

	it('are the wanted one, unless somebody listens there', async () => {
		const server = createServer();
		const wanted = await freePort();
		expect(await freePort(wanted)).toBe(wanted);
		server.listen(wanted, '127.0.0.1');
		await once(server, 'listening');
		expect(await freePort(wanted)).not.toBe(wanted);
		server.close();
		await once(server, 'close');
		expect(await freePort(wanted)).toBe(wanted);
	});
});
