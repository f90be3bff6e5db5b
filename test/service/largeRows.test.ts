import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { rowSlices } from '../../service/src/console/batch/rowSlices.ts';
import { status } from '../../service/src/store/batch.ts';
import { openSqlite } from '../../service/src/store/sqlite/openSqlite.ts';
import { startService, type RunningService } from '../support/inProcess/startService';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startSite, type Site } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

const mebibyte = 1024 * 1024;

let site: Site;
let service: RunningService;
let client: CloudClient;
/** Of 40 rows of one MiB each. */
let batchID: string;

beforeAll(async () => {
	site = await startSite(() => `<p>${'x'.repeat(mebibyte)}</p>`);
	const columns = Object.fromEntries([...'ABCDEFGH'].map((name) => [name, {}]));
	const steps = [step('navigate', { url: site.baseUrl }), extract(columns, 'p')];
	const folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-service-'));
	batchID = String(await storeRows(join(folder, 'service.db')));
	service = await startService({ folder, tasks: { largest: task('largest', steps) } });
	client = cloudClient(service);
});

/** Leaves a batch in a new database, as if a service had read it before. */
async function storeRows(file: string): Promise<bigint> {
	const store = openSqlite(file, { log: pino({ level: 'silent' }) });
	const { id } = await store.batches.create({
		taskID: uuidOf('large'),
		task: '{}',
		region: 'us',
		nodeCount: 1,
		requestID: 'test',
		fields: [{ id: 'a', name: 'Text' }],
		jobs: [{ first: 0, end: 1 }],
	});
	const claim = await store.jobs.claim(id, 0);
	for (let number = 0; number < 40; number += 1) {
		const content = JSON.stringify({ a: String(number).padStart(mebibyte, 'x') });
		await store.rows.append(claim, [{ position: String(number), content }]);
	}
	await store.batches.end(id, status.successful);
	await store.close();
	return id;
}

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

const read = (query: object) =>
	client.call<{ list: string[] }>('/cloud/data', {
		query: { batchID, page: 1, size: 1000, preview: false, ...query },
	});

test('a page of more than 32 MiB is refused, and says how many rows fit', async () => {
	expect(await read({})).toMatchObject({
		httpStatus: 400,
		code: 9000001,
		msg: 'The rows of this page are larger than 32 MiB: ask for a smaller size, 31 at most.',
	});
	expect((await read({ size: 31 })).data.list).toHaveLength(31);
});

test('what is refused uses up no rows of a deduplicationID', async () => {
	const query = { deduplication: true, deduplicationID: 'large rows' };
	expect((await read(query)).code).toBe(9000001);
	expect((await read({ ...query, size: 20 })).data.list).toHaveLength(20);
	expect((await read({ ...query, size: 20 })).data.list).toHaveLength(0);
});

test('a row may have eight MiB', async () => {
	const { batch } = await client.run(uuidOf('largest'));
	const { list } = await client.data(batch.batchID);
	expect(list.map((row) => row.length > 8 * mebibyte)).toEqual([true]);
	const [preview] = (await client.data(batch.batchID, { preview: true })).list;
	expect(preview?.match(/x+/g)).toEqual(Array(8).fill('x'.repeat(100)));
});

test('a preview shows as many rows as it is asked for', async () => {
	const { list } = (await read({ preview: true })).data;
	expect(list).toHaveLength(40);
	for (const row of list) {
		const values = row.match(/x+/g) ?? [];
		for (const value of values) expect(value).toHaveLength(100);
	}
});

test('a file is read in slices of which many can be held', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-service-'));
	const file = join(folder, 'service.db');
	const id = await storeRows(file);
	const store = openSqlite(file, { log: pino({ level: 'silent' }) });
	const counts: number[] = [];
	for await (const { rows } of rowSlices(store, await store.batches.get(id), { end: 40 })) {
		counts.push(rows.length);
	}
	await store.close();
	expect(counts).toEqual(Array(40).fill(1));
});

test('a preview drops only rows that are equal as a whole', async () => {
	const query = { preview: true, deduplication: true, deduplicationID: 'a preview of large rows' };
	expect((await read(query)).data.list).toHaveLength(40);
});
