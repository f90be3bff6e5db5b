import { parse } from 'csv-parse/sync';
import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import type { RunningService } from '../../support/service/startService';
import { readShop } from '../../support/shop/shopRows';
import { credentialOf, demoTasks, productOnPage, startShopService } from './localShop';

describe('Run Task and Get Data on the local service', () => {
	let service: RunningService;

	beforeAll(async () => {
		service = await startShopService();
	});

	afterAll(async () => {
		await service.stop();
	});

	const run = async (taskId: string, parameters: INodeParameters, options: INodeParameters = {}) =>
		await runNode({
			parameters: {
				operation: 'runAndGetData',
				taskId,
				returnAll: true,
				...parameters,
				options: { pollInterval: 1, ...options },
			},
			credential: credentialOf(service),
		});

	test('returns the rows of the shop', async () => {
		const { rows, hints } = await run(demoTasks.productList, {});
		expect(rows).toEqual(await readShop(service));
		expect(hints).toEqual([
			expect.stringMatching(
				/^Batch \d+: ran (less than 1|\d+) s, (waited (less than 1|\d+) s, )?72 rows, 6 of them duplicates\.$/,
			),
		]);
	});

	test('writes the rows of the shop to files', async () => {
		const { items } = await run(
			demoTasks.productList,
			{ output: 'file', fileFormat: 'csv', binaryPropertyName: 'shop' },
			{ rowsPerFile: 30, fileName: 'shop', fields: ['Name', 'Price'] },
		);
		expect(items.map(({ json }) => [json.fileName, json.rows])).toEqual([
			['shop-001.csv', 30],
			['shop-002.csv', 30],
			['shop-003.csv', 12],
		]);
		const rows = items.flatMap(({ binary }): unknown[] =>
			parse(Buffer.from(binary?.shop.data ?? '', 'base64').toString(), { columns: true }),
		);
		const shop = await readShop(service);
		expect(rows).toEqual(shop.map(({ Name, Price }) => ({ Name, Price })));
	});

	test('runs with the step values of the node, as fields and as JSON', async () => {
		const pages = ['P012', 'P034'];
		const urls = pages.map((number) => `${service.baseUrl}/shop/products/${number}`);
		const id = demoTasks.productPagesUrls;
		const expected = await Promise.all(
			pages.map(async (number) => await productOnPage(service, number)),
		);
		const fields = { actionParams: { urlList: [{ id, urls: urls.join('\n') }] } };
		expect((await run(demoTasks.productPages, fields)).rows).toEqual(expected);
		const json = {
			specifyActionParams: 'json',
			actionParamsJson: JSON.stringify([{ id, value: urls }]),
			jobCount: 2,
			nodeCount: 2,
		};
		expect((await run(demoTasks.productPages, json)).rows).toEqual(expected);
	});
});
