import { Ajv2020 } from 'ajv/dist/2020.js';
import { startService, type RunningService } from '../support/inProcess/startService';
import { useChromium } from '../support/inProcess/chromium';
import { startScriptedService } from '../support/scriptedService/scriptedService';
import { describeWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { consoleClient, visitConsole } from '../support/service/console';
import { describedBy, expectDescribed } from '../support/service/describedAnswers';
import { plainText } from '../support/service/plainText';
import { expectUsable, views } from '../support/service/usable';

const taskID = '11111111-1111-4111-8111-111111111111';
let service: RunningService;

beforeAll(async () => {
	service = await startService();
});
afterAll(() => service?.stop());

interface Parameter {
	in: string;
	name: string;
	required?: boolean;
	schema: object;
}
interface Operation {
	parameters: Parameter[];
	requestBody?: { content: Record<string, { schema: { properties: Record<string, object> } }> };
}
type Paths = Record<string, Record<string, Operation>>;

async function paths(): Promise<Paths> {
	const response = await fetch(`${service.baseUrl}/openapi.json`);
	const document = (await response.json()) as { openapi: string; paths: Paths; security: unknown };
	expect(document.openapi).toMatch(/^3\.1\./);
	expect(document.security).toEqual([{ apiKey: [] }]);
	return document.paths;
}

test('describes the four endpoints, and nothing else', async () => {
	const operations = Object.entries(await paths()).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => `${method} ${path}`),
	);
	expect(operations.sort()).toEqual([
		'get /cloud/batches',
		'get /cloud/data',
		'post /cloud/start',
		'post /cloud/stop',
	]);
});

test('names what requests take as the specification does, with what is needed and its type', async () => {
	const { '/cloud/data': data, '/cloud/start': start } = await paths();
	const parameters = data?.get?.parameters.map(({ name, required, schema }) => [
		name,
		required ?? false,
		'type' in schema && schema.type,
	]);
	expect(parameters?.sort()).toEqual([
		['batchID', true, 'integer'],
		['deduplication', false, 'boolean'],
		['deduplicationID', false, 'string'],
		['page', true, 'integer'],
		['preview', true, 'boolean'],
		['size', true, 'integer'],
		['x-cp-request-id', true, 'string'],
	]);
	expect(start?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
		required: ['taskID', 'nodeCount', 'jobCount'],
		properties: {
			region: { enum: ['', 'us', 'gb', 'hk', 'jp'] },
			nodeCount: { type: 'integer', minimum: 1 },
			actionParams: { type: 'string' },
		},
	});
});

test('marks what the specification leaves open', async () => {
	const { '/cloud/data': data } = await paths();
	const size = data?.get?.parameters.find(({ name }) => name === 'size');
	expect(size?.schema).toMatchObject({ maximum: 1000, 'x-chosen-here': '1,000 at most.' });
	const text = JSON.stringify(await paths());
	expect(text).toContain('"x-chosen-here":"Milliseconds since 1970."');
	expect(text).toContain('"x-chosen-here":"The HTTP status fits the code');
});

test('each schema is one that a validator takes', async () => {
	const ajv = new Ajv2020({ strict: false, validateFormats: false });
	const schemas: object[] = [];
	JSON.stringify(await paths(), (key, value: unknown) => {
		if (key === 'schema' && typeof value === 'object' && value) schemas.push(value);
		return value;
	});
	expect(schemas.length).toBeGreaterThan(10);
	for (const schema of schemas) expect(ajv.validateSchema(schema)).toBe(true);
});

test('says what tools ask of a description: names of the operations, a licence, where the service is', async () => {
	const response = await fetch(`${service.baseUrl}/openapi.json`);
	expect(await response.json()).toMatchObject({
		info: { license: { name: 'MIT', identifier: 'MIT' } },
		servers: [{ url: '/' }],
		paths: {
			'/cloud/start': { post: { operationId: 'startTask' } },
			'/cloud/stop': { post: { operationId: 'stopTask' } },
			'/cloud/batches': { get: { operationId: 'listBatches' } },
			'/cloud/data': { get: { operationId: 'getData' } },
		},
	});
});

test('where failures carry HTTP status 200, they are described there', async () => {
	const own = await startService({ env: { SERVICE_ERRORS_AS_200: 'true' } });
	const response = await fetch(`${own.baseUrl}/openapi.json`);
	const { paths: described } = (await response.json()) as {
		paths: Record<
			string,
			Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>
		>;
	};
	const schema =
		described['/cloud/stop']?.post?.responses['200']?.content['application/json']?.schema;
	const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema ?? false);
	const client = cloudClient(own);
	const failed = await client.call('/cloud/stop', { body: { taskID: 'nobody' } });
	expect(isValid({ code: failed.code, msg: 'There is no task.', data: null })).toBe(true);
	await client.start(taskID);
	const stopped = await client.stop(taskID);
	const data = { ...stopped, batchID: Number(stopped.batchID) };
	expect(isValid({ code: 0, msg: '', data })).toBe(true);
	expect(isValid({ code: 0, msg: '', data: null })).toBe(false);
	const visit = await consoleClient(own);
	expect(plainText(await (await visit('/console/api')).text())).toContain('data.useTime');
	await own.stop();
});

test('an answer that is not described fails its test', async () => {
	const description = await describedBy(service.baseUrl);
	const check = (answer: object, path = '/cloud/stop') => {
		if (!description) throw new Error('There is no description.');
		expectDescribed(description, { method: 'POST', path, json: JSON.stringify(answer) });
	};
	check({ code: 9000004, msg: 'x', data: null });
	expect(() => check({ code: 0, msg: '', data: null })).toThrow(/not described/);
	expect(() => check({ code: 0, msg: '', data: {} })).toThrow(/batchID/);
	expect(() => check({ code: 9000004, msg: null, data: null })).toThrow(/msg/);
	expect(() => check({ code: 0, msg: '', data: {} }, '/cloud/nothing')).toThrow(/not described/);
});

test('the scripted service of the node’s tests answers as described', async () => {
	// So that the description is that of a real service.
	await describedBy(service.baseUrl);
	const scripted = await startScriptedService({ taskIDs: [taskID] });
	const fields = [{ id: 'a', name: 'A' }];
	const { batchID } = scripted.addBatch({ fields, rows: ['{"a":"1"}', '{"a":"2"}'] });
	const client = cloudClient(scripted.credential);
	expect((await client.start(taskID)).status).toBe(1);
	expect((await client.stop(taskID)).status).toBe(4);
	expect((await client.batches(taskID)).list).toHaveLength(2);
	const once = { deduplication: true, deduplicationID: 'x', preview: true };
	expect((await client.data(String(batchID), once)).list).toHaveLength(2);
	const refusals = await Promise.all([
		client.call('/cloud/stop', { body: { taskID: 'nobody' } }),
		client.call('/cloud/stop', { body: { taskID } }),
		client.call('/cloud/nothing'),
		client.call('/cloud/data', { query: { batchID: String(batchID), page: 0, size: 1 } }),
		client.call('/cloud/stop', { headers: { authorization: 'Bearer wrong' }, body: { taskID } }),
	]);
	expect(refusals.map(({ code }) => code)).toEqual([
		...[9000004, 9000002, 9000004, 9000001, 9000003],
	]);
	await scripted.stop();
});

test('is read in the console as well', async () => {
	const visit = await consoleClient(service);
	const page = await (await visit('/console/api')).text();
	const text = plainText(page);
	for (const each of ['POST /cloud/start', 'GET /cloud/data', 'deduplicationID', 'ipProxyUsage']) {
		expect(text).toContain(each);
	}
	expect(text).toContain('Milliseconds since 1970.');
	expect(text).toMatch(/x-cp-request-id header string/);
	expect(text).toMatch(/deduplicationID optional query string/);
	expect(text).toMatch(/nodeCount body integer/);
	expect(text).toContain('9000003 the API key is missing or wrong');
	expect(page).toContain('href="/openapi.json"');
	for (const path of ['/console/', '/console/keys']) {
		expect(await (await visit(path)).text()).toContain('href="/console/api"');
	}
});

describeWithBrowser('in a browser', () => {
	const browser = useChromium();

	test.each(views(0))(
		'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
		async (colorScheme, width) => {
			const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
			await page.goto('/console/');
			await page.getByRole('link', { name: 'API', exact: true }).click();
			await page.getByRole('heading', { name: 'POST /cloud/start' }).waitFor();
			await expectUsable({ page, complaints });
		},
	);
});
