import { cloudClient, type Batch, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

const mebibyte = 1024 * 1024;

let site: Site;
let service: RunningService;
let client: CloudClient;
/** 40 rows of one MiB each, and one behind them of eight. */
let batch: Batch;

beforeAll(async () => {
	site = await startSite(({ url: { pathname } }) => {
		if (pathname === '/last') return `<p>${'x'.repeat(mebibyte)}</p>`;
		const rows = Array.from({ length: 8 }, (_, row) =>
			`${pathname} ${row}`.padStart(mebibyte, 'x'),
		);
		return rows.map((row) => `<p>${row}</p>`).join('');
	});
	const urls = ['1', '2', '3', '4', '5'].map((name) => `${site.baseUrl}/${name}`);
	const tasks = {
		large: task('large', [
			loop({ loopType: 'list', listType: 'urlList', urls }, [
				step('navigate', { useLoopItem: true }),
				extract({ Text: {} }, 'p'),
			]),
			step('navigate', { url: `${site.baseUrl}/last` }),
			extract(Object.fromEntries([...'ABCDEFGH'].map((name) => [name, {}])), 'p'),
		]),
	};
	service = await startService({ tasks });
	client = cloudClient(service);
	const started = await client.start(uuidOf('large'));
	batch = await client.waitFor(started, ({ status }) => status === 3);
	expect(batch.lineCount).toBe(41);
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

const read = (query: object) =>
	client.call<{ list: string[] }>('/cloud/data', {
		query: { batchID: batch.batchID, page: 1, size: 1000, preview: false, ...query },
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
	const { data } = await read({ page: 41, size: 1 });
	expect(data.list.map((row) => row.length > 8 * mebibyte)).toEqual([true]);
});

test('a preview shows as many rows as it is asked for', async () => {
	const { list } = (await read({ preview: true })).data;
	expect(list).toHaveLength(41);
	for (const row of list) {
		const values = row.match(/x+/g) ?? [];
		for (const value of values) expect(value).toHaveLength(100);
	}
});

test('a preview drops only rows that are equal as a whole', async () => {
	const query = { preview: true, deduplication: true, deduplicationID: 'a preview of large rows' };
	expect((await read(query)).data.list).toHaveLength(41);
});
