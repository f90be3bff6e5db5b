import { setTimeout as sleep } from 'node:timers/promises';
import { cloudClient, type Batch, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

let site: Site;
let service: RunningService;
let client: CloudClient;

/** Requests that the site is answering now, and the most there were at once; the first ones wait until there were so many. */
const load = { now: 0, most: 0, least: 0 };
/** Pages of these paths wait until they are let go. */
const held = new Map<string, () => void>();
/** How often each path was asked for. */
const asked = new Map<string, number>();

const pageLoop = (paths: string[], name: string) =>
	loop(
		{ loopType: 'list', listType: 'urlList', urls: paths.map((path) => `{base}${path}`) },
		[step('navigate', { useLoopItem: true }, `${name} open`), extract({ Path: 'p' }, 'body')],
		name,
	);

const numbers = (count: number, folder: string) =>
	Array.from({ length: count }, (_, index) => `${folder}/${index}`);

const tasks = {
	thirty: task('thirty', [pageLoop(numbers(30, '/page'), 'thirty')], { requestsPerHost: 3 }),
	other: task('other', [pageLoop(numbers(30, '/page'), 'other')], { requestsPerHost: 3 }),
	held: task('held', [pageLoop(['/held/0', '/page/1', '/page/2', '/held/3'], 'held')], {
		requestsPerHost: 3,
	}),
	never: task('never', [pageLoop(['/page/1', '/never'], 'never')]),
	flaky: task('flaky', [pageLoop(['/page/1', '/flaky/2', '/page/2'], 'flaky')]),
	gone: task('gone', [pageLoop(['/page/1', '/gone', '/page/2'], 'gone')]),
	pdf: task('pdf', [pageLoop(['/pdf', '/page/2'], 'pdf')]),
	unreachable: task('unreachable', [
		step('navigate', { url: 'http://127.0.0.1:1/' }),
		extract({ Path: 'p' }, 'body'),
	]),
	missingElement: task('missingElement', [
		loop({ loopType: 'list', listType: 'urlList', urls: ['{base}/page/5', '{base}/linked'] }, [
			step('navigate', { useLoopItem: true }),
			step('click', { selector: 'a' }),
			extract({ Path: 'p' }),
		]),
	]),
	brokenNext: task('brokenNext', [
		step('navigate', { url: '{base}/leads-nowhere' }),
		loop({ loopType: 'page', selector: 'a', timesMode: 'all' }, [extract({ Path: 'p' })]),
	]),
	rowsBeside: task('rowsBeside', [
		step('navigate', { url: '{base}/page/0' }),
		extract({ Path: 'p' }),
		pageLoop(['/page/1', '/page/2'], 'beside'),
	]),
	nested: task('nested', [
		loop({ loopType: 'count', times: 1 }, [pageLoop(['/page/1', '/page/2'], 'inner')]),
	]),
};

beforeAll(async () => {
	site = await startSite(async ({ url: { pathname } }): Promise<SiteAnswer> => {
		if (pathname === '/never') await new Promise(() => {});
		const count = (asked.get(pathname) ?? 0) + 1;
		asked.set(pathname, count);
		load.now += 1;
		load.most = Math.max(load.most, load.now);
		if (pathname.startsWith('/held/')) {
			await new Promise<void>((resolve) => held.set(pathname, resolve));
		}
		do await sleep(5);
		while (load.most < load.least);
		load.now -= 1;
		if (pathname === '/gone') return { status: 404, body: '<p>gone</p>' };
		if (pathname.startsWith('/flaky/') && count < 3) return { status: 503, body: '<p>busy</p>' };
		if (pathname === '/pdf') return { headers: { 'content-type': 'application/pdf' }, body: 'x' };
		if (pathname === '/linked') return '<a href="/page/7">seven</a>';
		if (pathname === '/leads-nowhere') return '<p>here</p><a href="/gone">next</a>';
		return `<p>${pathname}</p>`;
	});
	const files: Record<string, string> = {};
	for (const [name, content] of Object.entries(tasks)) {
		files[name] = JSON.stringify(content).replaceAll('{base}', site.baseUrl);
	}
	service = await startService({ tasks: files, env: { SERVICE_AGENTS: '3' } });
	client = cloudClient(service);
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

beforeEach(() => {
	load.most = load.least = 0;
	asked.clear();
});

const paths = (rows: Record<string, string>[]) => rows.map(({ Path: path }) => path);

describe('jobs', () => {
	test.each([
		[1, 1],
		[7, 7],
		[30, 30],
		[31, 30],
		[1_000_000, 30],
	])('splits 30 URLs into %i jobs as %i', async (jobCount, actual) => {
		const { batch, rows } = await client.run(uuidOf('thirty'), { jobCount, nodeCount: 3 });
		expect(batch.jobCount).toBe(actual);
		expect(paths(rows)).toEqual(numbers(30, '/page'));
	});

	test.each(['rowsBeside', 'nested'] as const)('does not split %s', async (name) => {
		const { batch, rows } = await client.run(uuidOf(name), { jobCount: 2 });
		expect(batch.jobCount).toBe(1);
		expect(paths(rows).slice(-2)).toEqual(['/page/1', '/page/2']);
	});

	test('shows the rows of a running batch in job order, none of them ever moving', async () => {
		const started = await client.start(uuidOf('held'), { jobCount: 4, nodeCount: 3 });
		await client.waitFor(started, ({ lineCount }) => lineCount === 2);
		// The rows of the jobs 2 and 3 are there, but would move behind those of job 1.
		expect(await client.data(started.batchID)).toMatchObject({
			list: [],
			pagination: { total: 0 },
		});
		held.get('/held/0')?.();
		const running = await client.waitFor(started, ({ lineCount }) => lineCount === 3);
		expect(running.status).toBe(2);
		expect(paths(await client.rowsOf(running))).toEqual(['/held/0', '/page/1', '/page/2']);
		held.get('/held/3')?.();
		const ended = await client.waitFor(started, ({ status }) => status === 3);
		expect(paths(await client.rowsOf(ended))).toEqual(['/held/0', '/page/1', '/page/2', '/held/3']);
	});
});

describe('agents', () => {
	test('work at most nodeCount at once on a batch', async () => {
		load.least = 2;
		await client.run(uuidOf('thirty'), { jobCount: 30, nodeCount: 2 });
		expect(load.most).toBe(2);
	});

	test('work at most SERVICE_AGENTS at once over all batches', async () => {
		load.least = 3;
		await Promise.all([
			client.run(uuidOf('thirty'), { jobCount: 30, nodeCount: 30 }),
			client.run(uuidOf('other'), { jobCount: 30, nodeCount: 30 }),
		]);
		expect(load.most).toBe(3);
	});

	test('leave a batch waiting until one of them is free', async () => {
		const first = await client.start(uuidOf('held'), { jobCount: 4, nodeCount: 1 });
		const more = await Promise.all([1, 2].map(() => client.start(uuidOf('never'))));
		const last = await client.start(uuidOf('other'));
		expect(last).toMatchObject({ status: 1, startTime: 0 });
		for (const batch of more) await client.waitFor(batch, ({ lineCount }) => lineCount === 1);
		expect((await client.batches(first.taskID)).list[0]?.status).toBe(2);
		expect((await client.batches(last.taskID)).list[0]).toEqual(last);
		for (const { taskID } of more) await client.stop(taskID);
		const ended = await client.waitFor(last, ({ status }) => status === 3);
		expect(ended.startTime).toBeGreaterThanOrEqual(last.createTime);
		await client.stop(first.taskID);
		held.get('/held/0')?.();
	});
});

describe('a page that fails', () => {
	async function warnings({ batchID }: Batch) {
		await service.logged({ batchID, msg: 'batch successful' });
		return service.log
			.filter((line) => line.batchID === batchID && line.level === 40)
			.map(({ msg, what }) => ({ msg, what: String(what).replace(site.baseUrl, '') }));
	}

	test('is tried again', async () => {
		const { batch, rows } = await client.run(uuidOf('flaky'));
		expect(paths(rows)).toEqual(['/page/1', '/flaky/2', '/page/2']);
		expect(asked.get('/flaky/2')).toBe(3);
		expect(await warnings(batch)).toEqual([
			{ msg: 'page failed, trying again', what: '/flaky/2' },
			{ msg: 'page failed, trying again', what: '/flaky/2' },
		]);
	});

	test('is logged and skipped at once if no other try would help', async () => {
		const { batch, rows } = await client.run(uuidOf('gone'));
		expect(paths(rows)).toEqual(['/page/1', '/page/2']);
		expect(asked.get('/gone')).toBe(1);
		expect(batch.status).toBe(3);
		expect(await warnings(batch)).toEqual([{ msg: 'page failed, skipped', what: '/gone' }]);
	});

	test('is skipped if it is no HTML', async () => {
		expect(paths((await client.run(uuidOf('pdf'))).rows)).toEqual(['/page/2']);
	});

	test('is skipped if it lacks the element to click', async () => {
		expect(paths((await client.run(uuidOf('missingElement'))).rows)).toEqual(['/page/7']);
		expect(asked.get('/page/5')).toBe(1);
	});

	test('ends a loop by page if it was to be the next one', async () => {
		expect(paths((await client.run(uuidOf('brokenNext'))).rows)).toEqual(['here']);
		expect(asked.get('/gone')).toBe(1);
	});

	test('leaves a run without rows, but successful, if it was the only one', async () => {
		const { batch, rows } = await client.run(uuidOf('unreachable'));
		expect(rows).toEqual([]);
		expect(batch.status).toBe(3);
		await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
		expect(service.log).toContainEqual(
			expect.objectContaining({
				batchID: batch.batchID,
				reason: expect.stringContaining('http://127.0.0.1:1/ could not be read') as string,
			}),
		);
	});
});

test('a stop ends a run within a second, even while a page does not answer', async () => {
	const batch = await client.start(uuidOf('never'));
	await client.waitFor(batch, ({ lineCount }) => lineCount === 1);
	const stopped = await client.stop(uuidOf('never'));
	expect(stopped).toMatchObject({ status: 4, lineCount: 1 });
	expect(stopped.endTime).toBeGreaterThan(0);
	load.least = 3;
	const { rows } = await client.run(uuidOf('thirty'), { jobCount: 3, nodeCount: 3 });
	expect(rows).toHaveLength(30);
	// All three agents are free again.
	expect(load.most).toBe(3);
	expect((await client.batches(uuidOf('never'), { size: 1 })).list[0]).toMatchObject(stopped);
});
