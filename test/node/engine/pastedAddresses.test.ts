import '../../support/engine/engineEnvironment';

import { CredentialTestContext } from 'n8n-core';

import { CloudScraping } from '../../../nodes/CloudScraping/CloudScraping.node';
import { runNode } from '../../support/engine/runNode';
import { startService } from '../../support/service/startService';
import type { RunningService } from '../../support/service/startService';
import { demoTasks } from './localShop';

/** What people copy from the address bar, with the console of the local service before them. */
describe('an address of the console', () => {
	let service: RunningService;

	beforeAll(async () => {
		service = await startService();
	});

	afterAll(async () => {
		await service.stop();
	});

	const testCredential = async (baseUrl: string, apiKey = service.apiKey) => {
		const { cloudScrapingApiTest } = new CloudScraping().methods.credentialTest;
		return await cloudScrapingApiTest.call(new CredentialTestContext(), {
			id: '1',
			name: 'Cloud Scraping',
			type: 'cloudScrapingApi',
			data: { baseUrl, apiKey },
		});
	};

	const listBatches = async (baseUrl: string, taskId: string) =>
		await runNode({
			parameters: { operation: 'listBatches', taskId },
			credential: { baseUrl, apiKey: service.apiKey },
		});

	test.each([
		'/console',
		'/console/',
		'/console/tasks',
		`/console/tasks/${demoTasks.productList}`,
		'/console/keys',
		'/console/sign-in',
	])(
		'as base URL (%s): the key is not called wrong, and the address to enter is named',
		async (path) => {
			const { status, message } = await testCredential(service.baseUrl + path);
			const advice = `if ${service.baseUrl}${path} is a page, such as one of the console, enter ${service.baseUrl}.`;
			expect(status).toBe('Error');
			expect(message).toContain('or the base URL does not lead to the service');
			expect(message).toContain(advice);
			const { error } = await listBatches(service.baseUrl + path, demoTasks.productList);
			expect(error?.message).toBe('API key rejected, or the base URL does not lead to the service');
			expect(error?.description).toContain(advice);
		},
	);

	test.each(['/foo', '/v2/', '/consoles'])(
		'with a path that the service does not know (%s): the base URL is called wrong',
		async (path) => {
			const { status, message } = await testCredential(service.baseUrl + path);
			expect(status).toBe('Error');
			expect(message).toMatch(/^The base URL does not lead to the service: /);
			expect(message).toContain(`enter ${service.baseUrl}.`);
		},
	);

	test('a wrong key is called wrong, and nothing else', async () => {
		const { status, message } = await testCredential(service.baseUrl, 'wrong');
		expect(status).toBe('Error');
		expect(message).toMatch(/^API key rejected: .* does not know this key/);
		expect(message).not.toContain('base URL');
	});

	test('of an endpoint is understood as base URL', async () => {
		for (const path of ['/cloud', '/cloud/', '/cloud/batches']) {
			expect(await testCredential(service.baseUrl + path)).toMatchObject({ status: 'OK' });
		}
	});

	test('of a task is understood as its ID', async () => {
		const link = `${service.baseUrl}/console/tasks/${demoTasks.productList}#runs`;
		const { rows, error } = await listBatches(service.baseUrl, link);
		expect(error).toBeUndefined();
		expect(rows).toEqual([]);
	});

	test('of a batch is understood as its ID, and as a task ID it is said to be none', async () => {
		const credential = { baseUrl: service.baseUrl, apiKey: service.apiKey };
		const parameters = { operation: 'runAndGetData', taskId: demoTasks.productList };
		const options = { includeBatch: true };
		const { rows } = await runNode({ parameters: { ...parameters, options }, credential });
		const value = `${service.baseUrl}/console/batches/${Number(rows[0]._batchId)}`;
		const byId = { batch: 'id', batchId: { __rl: true, mode: 'id', value }, options };
		const getData = { operation: 'getData', taskId: demoTasks.productList, ...byId };
		expect((await runNode({ parameters: getData, credential })).rows).toEqual(rows);
		const { error } = await listBatches(service.baseUrl, value);
		expect(error?.message).toBe(`There is no task ID in ${value}`);
		expect(error?.description).toBe(
			"This is the address of a batch, not of its task. Enter the task ID, or the address of the task's page in the web console. Nothing was sent.",
		);
	});

	test('without its beginning: what to enter is named, and nothing is sent', async () => {
		const { host } = new URL(service.baseUrl);
		const problem = `The base URL must start with http:// or https://: enter http://${host} or https://${host}`;
		expect(await testCredential(host)).toEqual({ status: 'Error', message: problem });
		expect((await listBatches(host, demoTasks.productList)).error?.message).toBe(problem);
	});
});
