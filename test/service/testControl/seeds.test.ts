import { startService, type RunningService } from '../../support/inProcess/startService';
import { cloudClient, type CloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { testControl } from '../../support/service/testControl';

const taskID = uuidOf('seeded');
const fields = [
	{ id: 'n', name: 'Name' },
	{ id: 'p', name: 'Price' },
];

let site: Site;
let service: RunningService;
let client: CloudClient;
let control: ReturnType<typeof testControl>;

beforeAll(async () => {
	site = await startSite(({ url }) => (url.pathname === '/never' ? new Promise(() => {}) : '<p>1'));
	const reading = (path: string) =>
		task(path, [step('navigate', { url: site.baseUrl + path }), extract({ Text: {} }, 'p')]);
	service = await startService({
		env: { SERVICE_TEST_CONTROL: 'true', SERVICE_LARGE_IDS: 'true' },
		tasks: { never: reading('/never'), once: reading('/once') },
	});
	client = cloudClient(service);
	control = testControl(service);
});
afterAll(async () => {
	await service?.stop();
	await site?.stop();
});
beforeEach(() => control.reset());

const saidOf = async (batchID: string) => JSON.stringify(await control.batch(batchID));

test('a batch is stored as it is said, is read so, and said so again', async () => {
	const said = {
		taskID,
		status: 4,
		region: 'jp',
		nodeCount: 3,
		jobCount: 2,
		createTime: 1_000,
		updateTime: 9_000,
		startTime: 2_000,
		endTime: 8_000,
		useTime: 6,
		lineCount: 70,
		duplicatedCount: 5,
		captchaCount: 4,
		ipProxyUsage: 3,
		fields,
		rows: [{ n: 'Emma', p: 4 }, { n: 'Emma "é" 😀', p: null }, { n: 'x'.repeat(5_000) }, {}],
	};
	const [batchID = ''] = await control.seed(said);
	const { rows, ...batch } = said;
	expect((await client.batches(taskID)).list).toEqual([{ batchID, ...batch }]);
	const { list, pagination } = await client.data(batchID);
	expect(list.map((row): unknown => JSON.parse(row))).toEqual(rows);
	expect(pagination.total).toBe(4);
	expect(await control.batch(batchID)).toEqual(said);
	const [again = ''] = await control.seed(said);
	expect(await saidOf(again)).toBe(await saidOf(batchID));
});

test('a run that was started without a region is said as the API says it, and can be seeded', async () => {
	const { batch } = await client.run(uuidOf('/once'));
	const said = (await control.batch(batch.batchID)) as object;
	expect(said).toMatchObject({ region: 'us' });
	const [again = ''] = await control.seed(said);
	expect(await control.batch(again)).toEqual(said);
});

test('numbers come back as they were written, and two different ones are no duplicates', async () => {
	const numbers = '9007199254740993 9007199254740992 12345678901234567890 3.14159265358979323846'
		.split(' ')
		.concat(['1e-400', '1.0', '1e2', '-0', '0.1', '7']);
	const rows = numbers.map((number) => `{"n":${number}}`);
	const text = `{"batches":[{"taskID":"${taskID}","fields":${JSON.stringify(fields)},"rows":[${rows.join(',')}]}]}`;
	const { json } = await control.call('POST', 'seed', text);
	const [batchID = ''] = (json as { batchIDs: string[] }).batchIDs;
	expect((await client.data(batchID)).list).toEqual(rows);
	const once = { deduplication: true, deduplicationID: 'numbers' };
	expect((await client.data(batchID, once)).list).toEqual(rows);
	expect(await control.text('GET', `batches/${batchID}`)).toContain(`"rows":[${rows.join(',')}]`);
});

test('a preview and a download have numbers as they were written', async () => {
	const row = `{"n":12345678901234567890,"p":"${'x'.repeat(101)}"}`;
	const text = `{"batches":[{"taskID":"${taskID}","fields":${JSON.stringify(fields)},"rows":[${row}]}]}`;
	const { json } = await control.call('POST', 'seed', text);
	const [batchID = ''] = (json as { batchIDs: string[] }).batchIDs;
	expect((await client.data(batchID, { preview: true })).list).toEqual([row.replace('x"', '"')]);
	const get = await consoleClient(service);
	const file = await get(`/console/batches/${batchID}/rows.csv`);
	expect(await file.text()).toContain('12345678901234567890,');
});

test('a download has values as the API has them; in a cell, nothing is empty', async () => {
	const more = [...fields, { id: 'e', name: '' }];
	const rows = [{ n: null, p: false, e: '' }, { p: 1e5 }];
	const [batchID = ''] = await control.seed({ taskID, fields: more, rows });
	const get = await consoleClient(service);
	const read = async (file: string) => (await get(`/console/batches/${batchID}/${file}`)).text();
	expect(await read('rows.jsonl')).toBe('{"Name":null,"Price":false,"":""}\n{"Price":100000}\n');
	expect((await read('rows.csv')).trim().split('\r\n').slice(1)).toEqual([',false,', ',100000,']);
});

test('what is not said of a batch follows from what is', async () => {
	const before = Date.now();
	const [waiting = '', running = '', done = ''] = await control.seed(
		{ taskID, status: 1, rows: [] },
		{ taskID, status: 2, startTime: before - 5_000, fields, rows: [{ n: 'a' }] },
		{ taskID, createTime: 5_000, useTime: 7 },
	);
	const nothing = { startTime: 0, endTime: 0, useTime: 0, lineCount: 0, duplicatedCount: 0 };
	expect(await control.batch(waiting)).toMatchObject({ ...nothing, region: 'us', nodeCount: 1 });
	expect(await control.batch(running)).toMatchObject({
		createTime: before - 5_000,
		endTime: 0,
		lineCount: 1,
	});
	expect(await control.batch(done)).toMatchObject({
		...{ status: 3, startTime: 5_000, endTime: 12_000, updateTime: 12_000, useTime: 7 },
	});
});

test('a batch of a task without a file is listed, and the newest is the one that was created last', async () => {
	const ids = await control.seed(
		{ taskID, createTime: 3_000 },
		{ taskID, createTime: 1_000 },
		{ taskID, createTime: 2_000 },
	);
	const { list } = await client.batches(taskID);
	expect(list.map(({ createTime }) => createTime)).toEqual([3_000, 2_000, 1_000]);
	expect(list.map(({ batchID }) => batchID)).toEqual([ids[0], ids[2], ids[1]]);
});

test('a batch that waits or runs is worked on by nobody, also after a restart, and can be stopped', async () => {
	const own = await startService({ env: { SERVICE_TEST_CONTROL: 'true' } });
	const [waiting, running] = await testControl(own).seed(
		{ taskID, status: 1 },
		{ taskID, status: 2, fields, rows: [{ n: 'a' }] },
	);
	await own.end();
	const again = await startService({ folder: own.folder, env: { SERVICE_TEST_CONTROL: 'true' } });
	const states = async () =>
		(await cloudClient(again).batches(taskID)).list.map(({ batchID, status }) => [batchID, status]);
	expect(await states()).toEqual([
		[running, 2],
		[waiting, 1],
	]);
	const stopped = await cloudClient(again).stop(taskID);
	expect(stopped).toMatchObject({ batchID: running, status: 4, lineCount: 1 });
	expect(stopped.endTime).toBeGreaterThan(0);
	await again.stop();
});

test.each<[unknown, string]>([
	[{ batches: [{ status: 3 }] }, 'batches.0.taskID is missing'],
	[{ batches: [{ taskID: 'x' }] }, 'batches.0.taskID must be a UUID, but is \\"x\\"'],
	[{ batches: [{ taskID, status: 5 }] }, 'batches.0.status must be 1 or 2 or 3 or 4, but is 5'],
	[{ batches: [{ taskID }, { taskID, state: 3 }] }, 'batches.1.state is not known here'],
	[{ batches: [{ taskID, createTime: -1 }] }, 'batches.0.createTime must be at least 0, but is -1'],
	[{ batches: [{ taskID, useTime: 1.5 }] }, 'batches.0.useTime must be a whole number, but is 1.5'],
	[
		{ batches: [{ taskID, fields, rows: ['x'] }] },
		'batches.0.rows.0 must be an object, but is \\"x\\"',
	],
	[
		{ batches: [{ taskID, fields: [{ id: '__proto__', name: 'P' }] }] },
		'batches.0.fields.0.id cannot be \\"__proto__\\": choose another one',
	],
	[
		`{"batches":[{"taskID":"${taskID}","rows":[{"__proto__":"p"}]}]}`,
		'batches.0.rows.0.__proto__ is a value of no field',
	],
	[
		`{"batches":[{"taskID":"${taskID}","fields":[{"id":"n","name":"N"}],"rows":[{"n":1e400}]}]}`,
		'batches.0.rows.0.n must be written as a text, but is a number too large to be read',
	],
	[{ batches: [{ taskID, fields, rows: [{ n: {} }] }] }, 'batches.0.rows.0.n must be a text'],
	[
		{ batches: [{ taskID, fields, rows: [{ Name: 'Emma' }] }] },
		'batches.0.rows.0.Name is a value of no field: add {\\"id\\": \\"Name\\", \\"name\\": …} to fields',
	],
	[{ batches: [{ taskID, fields: [...fields, ...fields] }] }, 'batches.0.fields has an id twice'],
	[{ batches: {} }, 'batches must be a list'],
	[[], 'The seed must be an object'],
	['{', 'JSON'],
])('the seed %j is refused, and changes nothing', async (seed, message) => {
	const good = typeof seed === 'object' && 'batches' in Object(seed);
	const { httpStatus, json } = await control.call('POST', 'seed', seed);
	expect(httpStatus).toBe(400);
	expect(JSON.stringify(json)).toContain(message);
	if (good) expect(JSON.stringify(json)).toContain('Nothing was changed.');
	// A good batch beside the bad one is not stored either.
	const { code } = await client.call('/cloud/batches', {
		query: { taskID, page: 1, size: 1, orderBy: 0 },
	});
	expect(code).toBe(9000004);
});

test('a value or row that no page could have is refused', async () => {
	const refusalOf = async (row: object) =>
		(await control.call('POST', 'seed', { batches: [{ taskID, fields, rows: [{}, row] }] })).json;
	expect(await refusalOf({ n: 'x'.repeat(1_048_577) })).toEqual({
		error: 'batches.0.rows.1.n has 1048577 characters, more than 1048576. Nothing was changed.',
	});
	const manyFields = Array.from({ length: 9 }, (_, id) => ({ id: `f${id}`, name: `F${id}` }));
	const row = Object.fromEntries(manyFields.map(({ id }) => [id, 'x'.repeat(1_000_000)]));
	const batches = [{ taskID, fields: manyFields, rows: [row] }];
	expect(JSON.stringify((await control.call('POST', 'seed', { batches })).json)).toMatch(
		/"batches\.0\.rows\.0 has 90\d+ characters, more than 8388608\./,
	);
});

test('a batch that is not there is said so', async () => {
	for (const id of ['1', 'x', '9999999999999999999', '99999999999999999999', '-1']) {
		expect(await control.call('GET', `batches/${id}`)).toEqual({
			httpStatus: 404,
			json: { error: `There is no batch ${id}.` },
		});
	}
});

test('a reset stops what runs, and forgets batches, rows, deduplication and faults', async () => {
	const never = uuidOf('/never');
	const running = await client.start(never);
	await client.waitFor(running, ({ status }) => status === 2);
	const { batch } = await client.run(uuidOf('/once'));
	const [seeded = ''] = await control.seed({ taskID, fields, rows: [{ n: 'Emma' }] });
	const once = { deduplication: true, deduplicationID: 'kept' };
	expect((await client.data(seeded, once)).list).toHaveLength(1);
	expect((await client.data(seeded, once)).list).toHaveLength(0);
	await control.setFaults({ path: '/cloud/start', status: 503 });

	await control.reset();
	expect(await control.faults()).toEqual([]);
	for (const batchID of [running.batchID, batch.batchID, seeded]) {
		expect(await control.call('GET', `batches/${batchID}`)).toMatchObject({ httpStatus: 404 });
	}
	expect((await client.batches(never)).pagination.total).toBe(0);
	await service.logged({ batchID: running.batchID, msg: 'batch stopped' });
	const [again = ''] = await control.seed({ taskID, fields, rows: [{ n: 'Emma' }] });
	expect((await client.data(again, once)).list).toHaveLength(1);
	// What runs from here on is as ever.
	expect((await client.run(uuidOf('/once'))).rows).toEqual([{ Text: '1' }]);
});

describe('without the setting', () => {
	test.each([
		['POST', 'reset'],
		['POST', 'seed'],
		['GET', 'batches/1'],
		['GET', 'faults'],
		['PUT', 'faults'],
		['DELETE', 'faults'],
	])('%s /test/%s is not there', async (method, path) => {
		const own = await startService();
		const { httpStatus } = await testControl(own).call(
			method,
			path,
			method === 'GET' ? undefined : [],
		);
		expect(httpStatus).toBe(404);
		await own.stop();
	});
});

test.each([
	['POST', 'reset'],
	['GET', 'faults'],
])('%s /test/%s needs an API key', async (method, path) => {
	const stranger = testControl({ ...service, apiKey: 'wrong' });
	const { httpStatus, json } = await stranger.call(method, path);
	expect(httpStatus).toBe(401);
	expect(JSON.stringify(json)).toContain('The API key is wrong');
});

test('a seed may have more values than other bodies', async () => {
	const rows = Array.from({ length: 15_000 }, (_, index) => ({ n: `${index}`, p: '1' }));
	const [batchID = ''] = await control.seed({ taskID, status: 3, fields, rows });
	const { pagination } = await client.data(batchID, { size: 1 });
	expect(pagination.total).toBe(15_000);
});
