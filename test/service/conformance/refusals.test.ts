import { cloudClient, type CloudClient } from '../../support/service/cloudClient';
import { uuidOf } from '../../support/service/taskFiles';
import { startConformanceService, tasks } from './conformanceService';
import { refusals } from './refusals';

// One test a rule of the API specification about requests that fail, under the number of its section.

describe.each([
	['own HTTP statuses', 'false'],
	['HTTP status 200, if the service is set to', 'true'],
])('failures with %s', (_name, errorsAs200) => {
	let running: Awaited<ReturnType<typeof startConformanceService>>;
	let client: CloudClient;

	beforeAll(async () => {
		running = await startConformanceService({ env: { SERVICE_ERRORS_AS_200: errorsAs200 } });
		client = cloudClient(running.service);
		await client.run(uuidOf('rows'));
	});

	afterAll(() => running?.stop());

	test.each(refusals)('%s: %s %j', async (_rule, path, call, expected) => {
		const { httpStatus, code, msg, data } = await client.call(path, call);
		expect(code).toBe(expected.code);
		expect(httpStatus).toBe(errorsAs200 === 'true' ? 200 : expected.httpStatus);
		expect(msg).not.toBe('');
		expect(data).toBeNull();
	});

	test.each([
		[
			'text/plain',
			'/cloud/stop',
			{ body: '{}', headers: { 'content-type': 'text/plain' } },
			'The body must be JSON: send the header content-type: application/json.',
		],
		[
			'batchID=x',
			'/cloud/data',
			{ query: { page: 1, size: 1, batchID: 'x', preview: false } },
			'batchID must be an integer, but is "x".',
		],
	])('7 msg says what is wrong with %s', async (_what, path, call, message) => {
		expect((await client.call(path, call)).msg).toBe(message);
	});

	test('7 what was refused has created no batch', async () => {
		const totals: Record<string, number> = {};
		for (const name of Object.keys(tasks)) {
			totals[name] = (await client.batches(uuidOf(name))).pagination.total;
		}
		expect(totals).toEqual({ rows: 1, idle: 0, never: 0, steps: 0, urls: 0, texts: 0 });
	});
});
