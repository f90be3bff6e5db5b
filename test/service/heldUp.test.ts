import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fastify from 'fastify';
import { pino } from 'pino';
import { isGivenUp, watchArrivals } from '../../service/src/api/arrivals.ts';
import { openScraping } from '../../service/src/runs/scraping.ts';
import { stopRunOf } from '../../service/src/runs/runs.ts';
import { status } from '../../service/src/store/batch.ts';
import { openTemporaryStore } from '../../service/src/store/openStore.ts';
import { TaskFiles } from '../../service/src/tasks/taskFiles.ts';
import { cloudClient } from '../support/service/cloudClient';
import { startProcess } from '../support/service/startService';
import { startSite } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';
import { newBatch } from './stores/newBatch';

// Requests that a process takes up long after they were sent, when others may have asked elsewhere.

const taskID = uuidOf('held up');

test('a start that its client has given up while the process was frozen starts nothing', async () => {
	const site = await startSite(() => '<p>row</p>');
	const steps = [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')];
	const service = await startProcess({ tasks: { held: task('held up', steps) } });
	const client = cloudClient(service);
	const start = (signal: AbortSignal) =>
		fetch(`${service.baseUrl}/cloud/start`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${service.apiKey}`,
				'x-cp-request-id': uuidOf('request'),
				'content-type': 'application/json',
			},
			body: JSON.stringify({ taskID, nodeCount: 1, jobCount: 1 }),
			signal,
		});
	service.process.kill('SIGSTOP');
	const waits = start(AbortSignal.timeout(60_000));
	await expect(start(AbortSignal.timeout(500))).rejects.toThrow();
	service.process.kill('SIGCONT');
	expect((await waits).status).toBe(200);
	await service.logged({ msg: 'request refused', reason: givenUp });
	expect((await client.batches(taskID)).list).toHaveLength(1);
	await service.stop();
	await site.stop();
});

const givenUp = 'The client has hung up before the task was started: nothing was started.';

test('a stop that came before a batch does not stop that', async () => {
	const log = pino({ level: 'silent' });
	const store = openTemporaryStore({ log });
	const onStoreFailure = (error: unknown) => expect(error).toBeUndefined();
	const scraping = openScraping(store, { browser: undefined, agents: 0, log, onStoreFailure });
	const parts = { ...store, ...scraping, tasks: new TaskFiles('/nowhere') };
	const create = () => scraping.batches.create(newBatch({ taskID }));
	// The database is as far away as on another continent.
	const now = scraping.batches.now.bind(scraping.batches);
	vi.spyOn(scraping.batches, 'now').mockImplementation(async () => {
		await sleep(400);
		const time = await now();
		await sleep(400);
		return time;
	});
	const older = await create();
	await sleep(200);
	const came = performance.now();
	await sleep(200);
	const newer = await create();
	const is = async (batch: { id: bigint }) => (await scraping.batches.get(batch.id)).status;
	const early = { came, isAwaited: () => false };
	expect(await stopRunOf(parts, taskID, early)).toMatchObject({ id: older.id });
	await expect(stopRunOf(parts, taskID, early)).rejects.toThrow('no waiting or running batch');
	expect([await is(older), await is(newer)]).toEqual([status.stopped, status.waiting]);
	const late = { came: performance.now(), isAwaited: () => true };
	const stopped = await stopRunOf(parts, taskID, late);
	expect(stopped).toMatchObject({ id: newer.id, status: status.stopped });
	await scraping.close();
	await store.close();
});

/** Asks on so many connections of its own at once, hangs up, and says so. */
const askAndHangUp = `
	const net = require('node:net');
	const { workerData: { port, times, told } } = require('node:worker_threads');
	let left = times;
	for (let time = 0; time < times; time += 1) {
		const socket = net.connect(port, '127.0.0.1', () =>
			socket.write('GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n', () => socket.destroy()));
		socket.on('close', () => { if (--left === 0) Atomics.notify(told, Atomics.store(told, 0, 1) - 1); });
	}
`;

test('of a request that came while the process was held up it is known that it may have come then', async () => {
	const server = fastify();
	const earliestArrival = watchArrivals(server);
	const arrivals: { earliest: number; isGivenUp: boolean }[] = [];
	server.get('/', async (request) => {
		arrivals.push({ earliest: earliestArrival(request), isGivenUp: await isGivenUp(request) });
		return '';
	});
	const address = await server.listen({ port: 0, host: '127.0.0.1' });
	const askNow = async () => {
		expect((await fetch(address)).status).toBe(200);
		return arrivals.pop();
	};
	const ready = performance.now();
	await expect.poll(async () => (await askNow())?.earliest).toBeGreaterThan(ready);

	const told = new Int32Array(new SharedArrayBuffer(4));
	const workerData = { port: Number(new URL(address).port), times: 50, told };
	const worker = new Worker(askAndHangUp, { eval: true, workerData });
	const heldUp = performance.now();
	Atomics.wait(told, 0, 0);
	Atomics.wait(told, 0, 1, 200);
	const goesOn = performance.now();
	await expect.poll(() => arrivals.length).toBe(50);
	for (const arrival of arrivals) {
		expect(arrival.isGivenUp).toBe(true);
		expect(arrival.earliest).toBeLessThan(heldUp);
	}
	await expect.poll(async () => (await askNow())?.earliest).toBeGreaterThan(goesOn);
	expect((await askNow())?.isGivenUp).toBe(false);
	await worker.terminate();
	await server.close();
});
