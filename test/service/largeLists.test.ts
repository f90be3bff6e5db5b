import { once } from 'node:events';
import { pino } from 'pino';
import { cloudApi } from '../../service/src/api/cloudApi.ts';
import { createServer } from '../../service/src/api/server.ts';
import { ApiKeys } from '../../service/src/keys/apiKeys.ts';
import { openScraping, type Scraping } from '../../service/src/runs/scraping.ts';
import { openTemporaryStore } from '../../service/src/store/openStore.ts';
import type { Store } from '../../service/src/store/stores.ts';
import { TaskFiles } from '../../service/src/tasks/taskFiles.ts';
import { longestTurn } from '../support/service/longestTurn';
import { uuidOf } from '../support/service/taskFiles';
import { idleReader } from './idleReader';

// Each batch in a list has all of its fields: of a task with very many columns, that is a lot.

const most = 500;

let store: Store;
let scraping: Scraping;
let server: ReturnType<typeof createServer>;

beforeEach(async () => {
	const log = pino({ level: 'silent' });
	store = openTemporaryStore({ log });
	scraping = openScraping(store, {
		browser: undefined,
		agents: 1,
		log,
		onStoreFailure: () => undefined,
	});
	server = createServer({ log, errorsAs200: false });
	const apiKeys = new ApiKeys(store.apiKeys, ['key'], undefined);
	await server.register(
		cloudApi({ ...store, ...scraping, apiKeys, tasks: new TaskFiles('/nowhere') }),
	);
});
afterEach(async () => {
	await scraping.close();
	await server.close();
	await store.close();
});

async function create(count: number, columns: (batch: number) => { id: string; name: string }[]) {
	for (let batch = 0; batch < count; batch += 1) {
		await store.batches.create({
			taskID: uuidOf('wide'),
			task: '{}',
			region: 'us',
			nodeCount: 1,
			requestID: 'test',
			fields: columns(batch),
			jobs: [{ first: 0, end: 1 }],
		});
	}
}

async function list(size: number, page = 1) {
	const answer = await server.inject({
		url: `/cloud/batches?taskID=${uuidOf('wide')}&orderBy=0&page=${page}&size=${size}`,
		headers: { authorization: 'Bearer key', 'x-cp-request-id': uuidOf('request') },
	});
	return { status: answer.statusCode, text: answer.body };
}

const columns = Array.from({ length: 1_000 }, (_, index) => ({
	id: uuidOf(`${index}`),
	name: `f${index}`,
}));

test('500 batches of a task with as many columns as it may have', async () => {
	await create(500, () => columns);
	let said = { status: 0, text: '' };
	const turn = await longestTurn(async () => (said = await list(500)));
	expect(said.status).toBe(200);
	expect(said.text.match(/"batchID":\d/g)).toHaveLength(500);
	expect(said.text.match(/"name":"f999"/g)).toHaveLength(500);
	expect(turn).toBeLessThan(most);
});

test('a list of batches with more than 8 MiB of different fields is refused, and says how many fit', async () => {
	// As a task of an earlier version may have left them: nearly a MiB each.
	await create(40, (batch) =>
		Array.from({ length: 16_000 }, (_, index) => ({ id: uuidOf('a'), name: `f${batch}-${index}` })),
	);
	let said = { status: 0, text: '' };
	const turn = await longestTurn(async () => (said = await list(1_000)));
	expect(turn).toBeLessThan(most);
	expect(said.status).toBe(400);
	const { code, msg } = JSON.parse(said.text) as { code: number; msg: string };
	const [, fitting = ''] =
		/^The batches of this page have too many fields, .+: ask for a smaller size, (\d+) at most\.$/.exec(
			msg,
		) ?? [];
	expect([code, Number(fitting)]).toEqual([9000001, expect.any(Number)]);
	expect(Number(fitting)).toBeGreaterThan(7);
	const fits = await list(Number(fitting));
	expect(fits.text.match(/"batchID"/g)).toHaveLength(Number(fitting));
	expect((await list(Number(fitting) + 1)).status).toBe(400);
	expect((await list(5, 2)).text.match(/"batchID"/g)).toHaveLength(5);
});

test('lists of which nothing is taken keep other large ones waiting, and small ones not at all', async () => {
	await create(500, () => columns);
	const baseUrl = await server.listen({ port: 0, host: '127.0.0.1' });
	const path = `/cloud/batches?taskID=${uuidOf('wide')}&orderBy=0&page=1&size=500`;
	const ask = () => idleReader({ baseUrl, apiKey: 'key' }, path);
	const held = [ask(), ask()];
	await Promise.all(held.map((socket) => once(socket, 'readable')));
	const waiting = ask();
	const begun = once(waiting, 'readable');
	for (let time = 0; time < 100; time += 1) expect((await list(10)).status).toBe(200);
	expect(waiting.bytesRead).toBe(0);
	for (const socket of held) socket.destroy();
	await begun;
	expect(waiting.bytesRead).toBeGreaterThan(0);
	waiting.destroy();
});
