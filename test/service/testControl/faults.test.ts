import { startService, type RunningService } from '../../support/inProcess/startService';
import { TestClock } from '../../support/inProcess/testClock';
import { cloudClient, type Call, type CloudClient } from '../../support/service/cloudClient';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';
import { testControl } from '../../support/service/testControl';

const taskID = uuidOf('numbers');
const seededID = uuidOf('seeded');
const rows = ['a', 'b', 'c', 'd', 'e'].map((n) => ({ n }));

const clock = new TestClock();
let site: Site;
let service: RunningService;
let client: CloudClient;
let control: ReturnType<typeof testControl>;
let batchID = '';

beforeAll(async () => {
	site = await startSite(({ url }) => `<p>${url.pathname.slice(1)}</p>`);
	const urls = Array.from({ length: 12 }, (_, number) => `${site.baseUrl}/${number}`);
	const list = loop({ loopType: 'list', listType: 'urlList', urls }, [
		step('navigate', { useLoopItem: true }),
		extract({ Text: {} }, 'p'),
	]);
	service = await startService({
		clock,
		env: { SERVICE_TEST_CONTROL: 'true' },
		tasks: { numbers: task('numbers', [list]) },
	});
	client = cloudClient(service);
	control = testControl(service);
});
afterAll(async () => {
	await service?.stop();
	await site?.stop();
});
beforeEach(async () => {
	await control.reset();
	const fields = [{ id: 'n', name: 'Number' }];
	[batchID = ''] = await control.seed({ taskID: seededID, fields, rows });
});

const requests = {
	'/cloud/start': { body: { taskID, nodeCount: 1, jobCount: 1 } },
	'/cloud/stop': { body: { taskID } },
	'/cloud/batches': { query: { taskID: seededID, page: 1, size: 10, orderBy: 0 } },
	'/cloud/data': { query: { batchID: '', page: 1, size: 2, preview: false } },
};
type Path = keyof typeof requests;

/** A right request of an endpoint; what goes wrong with it is thrown. */
function ask(path: Path, { query, body }: Call = {}) {
	const right: Call = requests[path];
	const isOfBatch = path === '/cloud/data' && { batchID };
	return client.call<{ list?: unknown[] }>(path, {
		...(right.query && { query: { ...right.query, ...isOfBatch, ...query } }),
		...(right.body !== undefined && { body: body ?? right.body }),
	});
}

const batchesOf = async (id: string) => (await client.batches(id)).pagination.total;

describe.each(Object.keys(requests) as Path[])('%s', (path) => {
	test('answers with a status, headers and a body, without working on the request', async () => {
		await control.setFaults({
			...{
				path,
				status: 503,
				headers: { 'retry-after': '7' },
				body: { code: 1, msg: 'x', data: null },
			},
		});
		expect(await ask(path)).toEqual({ httpStatus: 503, code: 1, msg: 'x', data: null });
		expect(await batchesOf(taskID)).toBe(0);
		expect(await control.faults()).toEqual([]);
	});

	test('answers with an envelope', async () => {
		await control.setFaults({ path, code: 9000004, msg: 'Gone.' });
		const refused = { httpStatus: 404, code: 9000004, msg: 'Gone.', data: null };
		expect(await ask(path)).toEqual(refused);
		await control.setFaults({ path, code: 1, status: 418 });
		expect(await ask(path)).toEqual({ httpStatus: 418, code: 1, msg: '', data: null });
	});

	test.each(['before', 'after'])('drops the connection %s the work', async (drop) => {
		const { batchID: running } = await client.start(taskID);
		await control.setFaults({ path, drop });
		await expect(ask(path)).rejects.toThrow();
		const count = path === '/cloud/start' && drop === 'after' ? 2 : 1;
		expect(await batchesOf(taskID)).toBe(count);
		if (path !== '/cloud/stop') return;
		const { list } = await client.batches(taskID);
		const { status } = list.find((each) => each.batchID === running) ?? {};
		expect(status === 4).toBe(drop === 'after');
	});

	test('ends in the middle of an answer', async () => {
		await client.start(taskID);
		await control.setFaults({ path, cut: true });
		await expect(ask(path)).rejects.toThrow();
		await control.setFaults({ path, cut: true, status: 500, body: '' });
		await expect(ask(path)).rejects.toThrow();
	});

	test('keeps an answer back', async () => {
		const before = clock.passed;
		await control.setFaults({ path, delay: 500_000 });
		await ask(path);
		expect(clock.passed - before).toBeGreaterThanOrEqual(500_000);
	});
});

test('a body that is a text is sent as it is, under the type that the headers say', async () => {
	const html = '<h1>Bad gateway</h1>';
	await control.setFaults({
		...{ path: '/cloud/data', status: 502, headers: { 'content-type': 'text/html' }, body: html },
	});
	const { href } = new URL(
		`/cloud/data?batchID=${batchID}&page=1&size=1&preview=false`,
		service.baseUrl,
	);
	const answer = await fetch(href, {
		headers: {
			authorization: `Bearer ${service.apiKey}`,
			'x-cp-request-id': uuidOf('request'),
		},
	});
	expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
		502,
		'text/html',
		html,
	]);
});

test.each(['/cloud/data', '/cloud/batches'] as const)(
	'entries are missing from a page of %s, and its total stays',
	async (path) => {
		const { data: whole } = await ask(path);
		await control.setFaults({ path, shorten: 1 }, { path, shorten: 9 });
		const { data } = await ask(path);
		expect(data).toEqual({ ...whole, list: whole.list?.slice(0, -1) });
		expect((await ask(path)).data).toEqual({ ...whole, list: [] });
		expect((await ask(path)).data).toEqual(whole);
	},
);

test('a fault is for as many requests as it says, then the next one is', async () => {
	const path = '/cloud/data';
	await control.setFaults(
		{ path, times: 2, code: 1 },
		{ path, code: 2 },
		{ path, times: 0, code: 3 },
	);
	const codes: number[] = [];
	for (let number = 0; number < 5; number += 1) codes.push((await ask(path)).code);
	expect(codes).toEqual([1, 1, 2, 3, 3]);
	expect(await control.faults()).toEqual([{ path, times: 0, code: 3 }]);
	expect(await control.deleteFaults()).toEqual([]);
	expect((await ask(path)).code).toBe(0);
});

test('of requests that come at once, as many go wrong as are to', async () => {
	const path = '/cloud/data';
	await control.setFaults({ path, times: 3, code: 1 });
	const answers = await Promise.all(Array.from({ length: 10 }, () => ask(path)));
	expect(answers.filter(({ code }) => code === 1)).toHaveLength(3);
});

test('a page without entries, and a refusal, cannot be shortened: the next page is', async () => {
	const path = '/cloud/data';
	const fault = { path, times: 1, shorten: 1 };
	await control.setFaults(fault);
	expect((await ask(path, { query: { batchID: '1' } })).code).toBe(9000004);
	expect((await ask(path, { query: { page: 9 } })).data).toMatchObject({ list: [] });
	expect((await ask(path, { query: { size: 0 } })).code).toBe(9000001);
	expect(await control.faults()).toEqual([fault]);
	expect((await ask(path)).data?.list).toHaveLength(1);
	expect(await control.faults()).toEqual([]);
});

test.each([{}, { drop: 'after' }, { code: 1 }])(
	'a reset ends what a fault with %j keeps back: nothing is worked on later',
	async (more) => {
		const release = clock.hold();
		await control.setFaults({ path: '/cloud/start', delay: 1_500, ...more });
		const held = ask('/cloud/start').catch((error: unknown) => error);
		await clock.sleeping(1);
		await control.reset();
		expect(await held).toBeInstanceOf(Error);
		expect(await batchesOf(taskID)).toBe(0);
		release();
	},
);

test('a fault can be for one page, or one task, be it named by a batch', async () => {
	const path = '/cloud/data';
	await control.setFaults({ path, page: 2, code: 1 });
	expect((await ask(path)).code).toBe(0);
	expect((await ask(path, { query: { page: 2 } })).code).toBe(1);
	await control.setFaults(
		{ path, taskID: seededID.toUpperCase(), code: 2 },
		{ path: '/cloud/batches', taskID, code: 3 },
		{ path: '/cloud/start', taskID: seededID, code: 4 },
	);
	expect((await ask(path)).code).toBe(2);
	expect((await ask('/cloud/batches')).code).toBe(0);
	expect((await ask('/cloud/batches', { query: { taskID } })).code).toBe(3);
	expect((await ask('/cloud/start')).code).toBe(0);
});

test('who has no API key is refused, and takes no fault from others', async () => {
	await control.setFaults({ path: '/cloud/data', code: 1 });
	const query = { ...requests['/cloud/data'].query, batchID };
	const stranger = cloudClient({ ...service, apiKey: 'wrong' });
	expect((await stranger.call('/cloud/data', { query })).code).toBe(9000003);
	expect((await ask('/cloud/data')).code).toBe(1);
});

describe('a run', () => {
	test.each([
		[0, 3, 1],
		[5, 4, 1],
		[7, 3, 4],
		[12, 4, 3],
	])('ends after %i rows with status %i, with %i jobs', async (endAfterRows, status, jobCount) => {
		await control.setFaults({ run: { taskID, endAfterRows, status } });
		const split = { jobCount, nodeCount: jobCount };
		const { batch, rows } = await client.run(taskID, split);
		expect(batch).toMatchObject({ status, lineCount: endAfterRows });
		expect(batch.startTime).toBeGreaterThan(0);
		expect(rows).toHaveLength(endAfterRows);
		await service.logged({ batchID: batch.batchID, msg: 'batch ended by a fault' });
		expect((await client.run(taskID, split)).batch).toMatchObject({ status: 3, lineCount: 12 });
	});

	test('of another task goes on as ever, and one that has fewer rows', async () => {
		await control.setFaults(
			{ run: { taskID: seededID, endAfterRows: 1 } },
			{ run: { taskID, endAfterRows: 100 } },
		);
		expect((await client.run(taskID)).batch).toMatchObject({ status: 3, lineCount: 12 });
		// Neither was met, nor is the second one for another run.
		const left = (run: object) => ({ run: { ...run, status: 4 }, times: 1 });
		const both = [left({ taskID: seededID, endAfterRows: 1 }), left({ taskID, endAfterRows: 100 })];
		expect(await control.faults()).toEqual(both);
		await control.setFaults({ run: { taskID, endAfterRows: 2 } });
		await client.run(taskID);
		expect(await control.faults()).toEqual([]);
	});
});

test('no fault is on after a restart', async () => {
	const env = { SERVICE_TEST_CONTROL: 'true' };
	const own = await startService({ env });
	await testControl(own).setFaults({ path: '/cloud/start', times: 0, status: 503 });
	await own.end();
	const again = await startService({ folder: own.folder, env });
	expect(await testControl(again).faults()).toEqual([]);
	await again.stop();
});

test.each<[unknown, string]>([
	[{ path: '/cloud/strat', status: 500 }, 'faults.1.path must be'],
	[{ status: 500 }, 'faults.1.path'],
	[{ path: '/cloud/data' }, 'faults.1.path needs what is to go wrong beside it'],
	[{ path: '/cloud/data', status: 99 }, 'faults.1.status must be at least 200, but is 99'],
	[{ path: '/cloud/data', delay: -1 }, 'faults.1.delay must be at least 0, but is -1'],
	[{ path: '/cloud/data', delay: '5' }, 'faults.1.delay must be'],
	[{ path: '/cloud/data', drop: 'during' }, 'faults.1.drop must be'],
	[{ path: '/cloud/data', statsu: 500 }, 'faults.1.statsu is not known here'],
	[{ path: '/cloud/start', page: 1, status: 500 }, 'faults.1.page is for lists; /cloud/start'],
	[{ path: '/cloud/stop', shorten: 1 }, 'faults.1.shorten is for lists; /cloud/stop has no pages'],
	[{ path: '/cloud/data', shorten: 1, status: 500 }, 'faults.1.shorten is for the correct answer'],
	[{ path: '/cloud/data', drop: 'after', code: 1 }, 'faults.1.drop sends no answer'],
	[{ path: '/cloud/data', drop: 'after', cut: true }, 'faults.1.drop sends no answer'],
	[{ path: '/cloud/data', msg: 'x', delay: 1 }, 'faults.1.msg needs a code beside it'],
	[{ path: '/cloud/data', body: 'x', delay: 1 }, 'faults.1.body needs a status beside it'],
	[{ path: '/cloud/data', code: 1, status: 500, body: 'x' }, 'faults.1.body cannot be beside code'],
	[{ path: '/cloud/data', status: 500, headers: { 'a b': 'x' } }, 'faults.1.headers'],
	[{ path: '/cloud/data', status: 500, headers: { a: 'x\ny' } }, 'faults.1.headers'],
	...['Content-Length', 'transfer-encoding', 'Trailer'].map((name): [unknown, string] => [
		{ path: '/cloud/data', status: 500, headers: { [name]: '3' } },
		`faults.1.headers have \\"${name}\\", which follows from the body`,
	]),
	[
		{ path: '/cloud/data', taskID: 'x', status: 500 },
		'faults.1.taskID must be a UUID, but is \\"x\\"',
	],
	[{ run: { taskID: 'x', endAfterRows: 1 } }, 'faults.1.run.taskID must be a UUID, but is \\"x\\"'],
	[{ run: { taskID } }, 'faults.1.run.endAfterRows is missing'],
	[{ run: { taskID, endAfterRows: 1, status: 2 } }, 'faults.1.run.status must be 3 or 4, but is 2'],
	[{ run: { taskID, endAfterRows: 1 }, delay: 5 }, 'faults.1.delay is not known here'],
	['x', 'faults.1 must be an object'],
])('the fault %j is refused, and those that are on stay', async (fault, message) => {
	const on = { path: '/cloud/stop', times: 1, code: 1 };
	await control.setFaults(on);
	const { httpStatus, json } = await control.call('PUT', 'faults', [{ ...on, times: 5 }, fault]);
	expect(httpStatus).toBe(400);
	expect(JSON.stringify(json)).toContain(message);
	expect(JSON.stringify(json)).toContain('Nothing was changed.');
	expect(await control.faults()).toEqual([on]);
});

test('faults may also stand in an object, and nothing else may', async () => {
	const fault = { path: '/cloud/stop', times: 1, code: 1 };
	const put = (body: unknown) => control.call('PUT', 'faults', body);
	expect(await put({ faults: [fault] })).toEqual({ httpStatus: 200, json: [fault] });
	const { httpStatus, json } = await put(fault);
	expect(httpStatus).toBe(400);
	expect(JSON.stringify(json)).toContain('The list of faults must be a list');
	expect(await control.faults()).toEqual([fault]);
});
