import { randomUUID } from 'node:crypto';
import { cloudClient, type CloudClient } from '../../support/service/cloudClient';
import { uuidOf } from '../../support/service/taskFiles';
import { startConformanceService } from './conformanceService';

// What the API specification leaves open, as docs/service.md says it is here.

let running: Awaited<ReturnType<typeof startConformanceService>>;
let client: CloudClient;

beforeAll(async () => {
	running = await startConformanceService();
	client = cloudClient(running.service);
});

afterAll(() => running?.stop());

test('4 HEAD is no method of the endpoints, and uses up no rows', async () => {
	const { batch } = await client.run(uuidOf('rows'));
	const deduplicationID = randomUUID();
	const query = new URLSearchParams({
		batchID: batch.batchID,
		page: '1',
		size: '10',
		preview: 'false',
		deduplication: 'true',
		deduplicationID,
	});
	const { baseUrl, apiKey } = running.service;
	const { status } = await fetch(`${baseUrl}/cloud/data?${query.toString()}`, {
		method: 'HEAD',
		headers: { authorization: `Bearer ${apiKey}`, 'x-cp-request-id': randomUUID() },
	});
	expect(status).toBe(404);
	const { list } = await client.data(batch.batchID, {
		size: 10,
		deduplication: true,
		deduplicationID,
	});
	expect(list).toHaveLength(10);
});

test('4.2 the running batch is stopped before a waiting one', async () => {
	const never = uuidOf('never');
	const started = [];
	// There are four agents.
	for (let count = 0; count < 6; count += 1) started.push(await client.start(never));
	const waiting = await client.start(uuidOf('rows'));
	await client.start(uuidOf('rows'));
	const newestRunning = started[3];
	if (!newestRunning) throw new Error('Nothing was started.');
	await client.waitFor(newestRunning, ({ status }) => status === 2);
	const newestWaiting = await client.stop(uuidOf('rows'));
	expect(BigInt(newestWaiting.batchID)).toBeGreaterThan(BigInt(waiting.batchID));
	expect((await client.stop(never)).batchID).toBe(newestRunning.batchID);
	for (let count = 0; count < 5; count += 1) await client.stop(never);
	await client.waitFor(waiting, ({ status }) => status === 3);
});

test('4 a body that is too large is refused with a status that says so', async () => {
	const body = { taskID: 'x'.repeat(17 * 1024 * 1024) };
	expect(await client.call('/cloud/stop', { body })).toMatchObject({
		httpStatus: 413,
		code: 9000000,
		msg: 'The body is too large; the API takes 16 MiB.',
	});
});

test('8 a run is split into 1,000 jobs at most', async () => {
	const value = Array.from({ length: 1_500 }, () => `${running.site.baseUrl}/never`);
	const started = await client.start(uuidOf('urls'), {
		jobCount: 2_147_483_647,
		actionParams: [{ id: uuidOf('urls'), value }],
	});
	expect(started.jobCount).toBe(1_000);
	await client.stop(uuidOf('urls'));
});

test('{site} inside a URL is no placeholder', async () => {
	const value = `${running.site.baseUrl}/echo?q={site}/x`;
	const { rows } = await client.run(uuidOf('urls'), {
		actionParams: [{ id: uuidOf('open url'), value }],
	});
	expect(rows).toEqual([{ Query: '{site}/x' }]);
});
