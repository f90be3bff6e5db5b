import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloudClient, type Batch, type CloudClient } from '../../support/service/cloudClient';
import { uuidOf } from '../../support/service/taskFiles';
import { startConformanceService } from './conformanceService';

// One test a rule of the API specification about requests that succeed, under its section.

const taskID = uuidOf('rows');
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let running: Awaited<ReturnType<typeof startConformanceService>>;
let client: CloudClient;
/** A successful batch of 25 rows, the last five of them equal to the first five. */
let batch: Batch;

beforeAll(async () => {
	running = await startConformanceService();
	client = cloudClient(running.service);
	batch = (await client.run(taskID)).batch;
});

afterAll(() => running?.stop());

/** The column "Text" of a page of rows. */
async function texts(query: Record<string, string | number | boolean>): Promise<string[]> {
	const { list } = await client.data(batch.batchID, query);
	return list.map((row) => (JSON.parse(row) as Record<string, string>)[fieldID('Text')] ?? '');
}

const fieldID = (column: string) => batch.fields.find(({ name }) => name === column)?.id ?? '';
const numbers = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => String((from + index) % 20));

describe('2.1 Response envelope', () => {
	test('a success has code 0, an empty msg and data', async () => {
		const query = { page: 1, size: 1, taskID, orderBy: 0 };
		const answer = await client.call('/cloud/batches', { query });
		expect(Object.keys(answer).sort()).toEqual(['code', 'data', 'httpStatus', 'msg']);
		expect(answer).toMatchObject({ httpStatus: 200, code: 0, msg: '' });
	});
});

describe('2.2 Pagination', () => {
	test.each([
		[1, 10, numbers(0, 10)],
		[3, 10, numbers(20, 25)],
		[4, 10, []],
		[5, 5, numbers(20, 25)],
		[1_000_000_000, 1000, []],
	])('page %i of size %i starts at (page - 1) * size', async (page, size, expected) => {
		expect(await texts({ page, size })).toEqual(expected);
		const { pagination } = await client.data(batch.batchID, { page, size });
		expect(pagination).toEqual({ page, size, total: 25 });
	});

	test('pages of batches are cut alike', async () => {
		const all = await client.batches(taskID);
		for (const page of [1, 2, 3]) {
			const { list, pagination } = await client.batches(taskID, { page, size: 2 });
			expect(list).toEqual(all.list.slice((page - 1) * 2, page * 2));
			expect(pagination).toEqual({ page, size: 2, total: all.pagination.total });
		}
	});
});

describe('2.3 Batch', () => {
	test('has all fields of the table, of their types', () => {
		const { batchID, fields, createTime, updateTime, startTime, endTime, useTime, ...rest } = batch;
		expect(batchID).toMatch(/^[1-9]\d{0,18}$/);
		expect(Number.isSafeInteger(Number(batchID))).toBe(false);
		for (const time of [createTime, updateTime, startTime, endTime, useTime]) {
			expect(Number.isInteger(time)).toBe(true);
		}
		expect(rest).toEqual({
			taskID,
			lineCount: 25,
			duplicatedCount: 5,
			captchaCount: 0,
			ipProxyUsage: 0,
			region: 'us',
			nodeCount: 1,
			jobCount: 1,
			status: 3,
		});
		expect(fields.map(({ name }) => name)).toEqual(['Text', 'Long']);
	});

	test('counts times in milliseconds since 1970, and useTime in seconds', () => {
		const { createTime, startTime, endTime, updateTime, useTime } = batch;
		expect(new Date(createTime).getFullYear()).toBe(new Date().getFullYear());
		expect([createTime, startTime, endTime]).toEqual([createTime, startTime, endTime].sort());
		expect(updateTime).toBe(endTime);
		expect(useTime).toBe(Math.floor((endTime - startTime) / 1000));
	});

	test('has identifiers that grow', async () => {
		const { list } = await client.batches(taskID);
		const started = await client.start(taskID);
		for (const { batchID } of list)
			expect(BigInt(started.batchID)).toBeGreaterThan(BigInt(batchID));
		await client.waitFor(started, ({ status }) => status === 3);
	});
});

describe('2.4 Field, 2.5 Scraped row', () => {
	test('a row is a JSON object whose keys are field ids', async () => {
		expect(batch.fields.every(({ id }) => uuid.test(id))).toBe(true);
		const { list } = await client.data(batch.batchID, { size: 1 });
		expect(list).toEqual([JSON.stringify({ [fieldID('Text')]: '0', [fieldID('Long')]: '' })]);
	});
});

describe('3 States and transitions', () => {
	test('start creates a waiting batch with zeros', async () => {
		const started = await client.start(taskID, { nodeCount: 3, jobCount: 2, region: 'jp' });
		expect(started).toMatchObject({
			status: 1,
			startTime: 0,
			endTime: 0,
			useTime: 0,
			lineCount: 0,
			duplicatedCount: 0,
			captchaCount: 0,
			ipProxyUsage: 0,
			nodeCount: 3,
			jobCount: 1,
			region: 'jp',
		});
		await client.waitFor(started, ({ status }) => status === 3);
	});

	test('stop ends a running batch with status 4 and a non-zero endTime', async () => {
		const started = await client.start(uuidOf('never'));
		await client.waitFor(started, ({ status }) => status === 2);
		const stopped = await client.stop(uuidOf('never'));
		expect(stopped).toMatchObject({ batchID: started.batchID, status: 4 });
		expect(stopped.endTime).toBeGreaterThanOrEqual(stopped.startTime);
		expect((await client.batches(uuidOf('never'))).list[0]).toEqual(stopped);
	});
});

describe('4.1 Start', () => {
	test.each([
		['us', 'us'],
		['gb', 'gb'],
		['hk', 'hk'],
		['jp', 'jp'],
		['', 'us'],
	])('region "%s" runs in %s', async (region, expected) => {
		const { batch: started } = await client.run(taskID, { region });
		expect(started.region).toBe(expected);
	});

	test('task ids are compared without regard to case', async () => {
		const started = await client.start(taskID.toUpperCase());
		expect(started.taskID).toBe(taskID);
		await client.waitFor(started, ({ status }) => status === 3);
	});

	/** The echoed text of each row that has one. */
	async function queries(
		name: string,
		param: { id: string; path?: string | null; value: unknown },
	) {
		const { rows } = await client.run(uuidOf(name), { actionParams: [param] });
		return rows.flatMap(({ Query: query }) => (query ? [query] : []));
	}

	test('actionParams may be an empty string: there are none', async () => {
		const body = { taskID, nodeCount: 1, jobCount: 1, actionParams: '' };
		expect((await client.call('/cloud/start', { body })).code).toBe(0);
	});

	test.each([undefined, null, '', 'config.text'])('input content, path %j', async (path) => {
		const param = { id: uuidOf('input'), path, value: 'replaced' };
		expect(await queries('steps', param)).toEqual(['replaced']);
	});

	test('input content may be empty, and takes the place of a loop item', async () => {
		expect(await queries('steps', { id: uuidOf('input'), value: '' })).toEqual([]);
		expect(await queries('texts', { id: uuidOf('input text'), value: 'own' })).toEqual(['own']);
	});

	test.each([undefined, 'config.url'])('URL, path %j', async (path) => {
		const value = `${running.site.baseUrl}/echo?q=replaced`;
		expect(await queries('urls', { id: uuidOf('open url'), path, value })).toEqual(['replaced']);
	});

	test.each([undefined, 'config.urls'])('URL list, path %j', async (path) => {
		const value = ['a', 'b'].map((text) => `${running.site.baseUrl}/echo?q=${text}`);
		expect(await queries('urls', { id: uuidOf('urls'), path, value })).toEqual(['a', 'b']);
	});

	test.each([undefined, 'config.texts'])('text list, path %j', async (path) => {
		const value = ['a', '', 'c'];
		expect(await queries('texts', { id: uuidOf('texts'), path, value })).toEqual(['a', 'c']);
	});

	test.each([
		['count', undefined],
		['count', 'config.times'],
		['page', undefined],
		['page', 'config.times'],
	])('times of loop by %s, path %j', async (loop, path) => {
		const { rows } = await client.run(uuidOf('steps'), {
			actionParams: [{ id: uuidOf(loop), path, value: 3 }],
		});
		expect(rows.filter((row) => row[loop] === 'counted')).toHaveLength(3);
	});

	test('step ids are compared without regard to case', async () => {
		const param = { id: uuidOf('input').toUpperCase(), value: 'replaced' };
		expect(await queries('steps', param)).toEqual(['replaced']);
	});

	test('values hold for one run only', async () => {
		await queries('texts', { id: uuidOf('texts'), value: ['replaced'] });
		const { rows } = await client.run(uuidOf('texts'));
		expect(rows).toEqual([{ Query: 'configured' }]);
	});
});

describe('4.2 Stop', () => {
	test('of several running batches, the newest is stopped', async () => {
		const started = [];
		for (let count = 0; count < 3; count += 1) started.push(await client.start(uuidOf('never')));
		const ids = started.map(({ batchID }) => batchID).reverse();
		for (const batchID of ids) {
			expect(await client.stop(uuidOf('never'))).toMatchObject({ batchID, status: 4 });
		}
	});
});

describe('4.3 List batches', () => {
	test('0: the newest first', async () => {
		const { list } = await client.batches(taskID, { orderBy: 0 });
		const ids = list.map(({ batchID }) => BigInt(batchID));
		expect(ids.length).toBeGreaterThan(5);
		expect(ids).toEqual([...ids].sort((a, b) => (a < b ? 1 : -1)));
	});

	test('1: the longest running first, a running one counted up to now', async () => {
		const never = uuidOf('never');
		const running = await client.start(never);
		await client.waitFor(running, ({ status }) => status === 2);
		// Longer than those that the tests above stopped.
		const longest = Math.max(...(await spans(never)));
		await sleep(longest + 20);
		expect((await client.batches(never, { orderBy: 1 })).list[0]?.batchID).toBe(running.batchID);
		await client.stop(never);
		// The order goes by a clock that nobody sets, which says the whole seconds, too.
		const { list } = await client.batches(never, { orderBy: 1 });
		expect(list[0]?.batchID).toBe(running.batchID);
		const seconds = list.map(({ useTime }) => useTime);
		expect(seconds).toEqual([...seconds].sort((a, b) => b - a));
	});

	test('2: the most rows first, equal ones by creation', async () => {
		await client.run(uuidOf('urls'), {
			actionParams: [{ id: uuidOf('urls'), value: [1, 2].map((q) => url(q)) }],
		});
		for (const q of [3, 4]) {
			await client.run(uuidOf('urls'), { actionParams: [{ id: uuidOf('urls'), value: [url(q)] }] });
		}
		const { list } = await client.batches(uuidOf('urls'), { orderBy: 2 });
		const keys = list.map(({ lineCount, batchID }) => [lineCount, BigInt(batchID)] as const);
		expect(keys[0]?.[0]).toBe(2);
		expect(keys).toEqual([...keys].sort((a, b) => b[0] - a[0] || (a[1] < b[1] ? 1 : -1)));
	});

	const url = (q: number) => `${running.site.baseUrl}/echo?q=${q}`;

	/** How long each ended batch of a task ran, in milliseconds. */
	async function spans(task: string): Promise<number[]> {
		const { list } = await client.batches(task);
		return list.filter(({ endTime }) => endTime > 0).map((it) => it.endTime - it.startTime);
	}
});

describe('4.4 Get data', () => {
	test('preview cuts values to 100 characters, and only then', async () => {
		const value = async (preview: boolean) => {
			const { list } = await client.data(batch.batchID, { page: 8, size: 1, preview });
			return (JSON.parse(list[0] ?? '') as Record<string, string>)[fieldID('Long')];
		};
		expect(await value(false)).toBe(`${'é'.repeat(99)}😀😀`);
		expect(await value(true)).toBe(`${'é'.repeat(99)}😀`);
	});

	test('deduplication drops equal rows, over all requests with one id', async () => {
		const query = { size: 10, deduplication: true, deduplicationID: randomUUID() };
		expect(await texts({ ...query, page: 1 })).toEqual(numbers(0, 10));
		expect(await texts({ ...query, page: 3 })).toEqual([]);
		expect(await texts({ ...query, page: 2 })).toEqual(numbers(10, 20));
		expect(await texts({ ...query, page: 1 })).toEqual([]);
		const { pagination } = await client.data(batch.batchID, { ...query, page: 1 });
		expect(pagination.total).toBe(25);
	});

	test('deduplication drops equal rows of one page, and of other batches', async () => {
		const query = { deduplication: true, deduplicationID: randomUUID() };
		expect(await texts({ ...query, preview: true })).toEqual(numbers(0, 20));
		const { batch: later } = await client.run(taskID);
		expect((await client.data(later.batchID, query)).list).toEqual([]);
	});

	test('deduplication with another id begins anew, and without one there is none', async () => {
		for (const deduplicationID of [randomUUID(), randomUUID()]) {
			expect(await texts({ deduplication: true, deduplicationID })).toHaveLength(20);
		}
		expect(await texts({ deduplication: false, deduplicationID: randomUUID() })).toHaveLength(25);
	});

	test('requests at the same time with one deduplicationID share the rows out', async () => {
		const query = { deduplication: true, deduplicationID: randomUUID() };
		const answers = await Promise.all(Array.from({ length: 8 }, () => texts(query)));
		expect(answers.flat().sort()).toEqual(numbers(0, 20).sort());
	});
});

describe('5 Authentication', () => {
	test('request ids are in the log, with the batch id', async () => {
		const requestID = randomUUID();
		const body = { taskID, nodeCount: 1, jobCount: 1 };
		const headers = { 'x-cp-request-id': requestID };
		const { data } = await client.call<Batch>('/cloud/start', { body, headers });
		await client.waitFor(data, ({ status }) => status === 3);
		await running.service.logged({ batchID: data.batchID, msg: 'batch successful' });
		const messages = running.service.log.filter(
			(line) => line.requestID === requestID && line.batchID === data.batchID,
		);
		expect(messages.map(({ msg }) => msg)).toEqual([
			'batch created',
			'batch waiting',
			'batch running',
			'page opened',
			'job done',
			'batch successful',
		]);
	});
});
