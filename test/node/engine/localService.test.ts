import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import type { RunningService } from '../../support/service/startService';
import { readShop } from '../../support/shop/shopRows';
import { openBatchDropdown } from './batchDropdown';
import {
	credentialOf,
	demoTasks,
	productOnPage,
	runTask,
	searchInShop,
	startShopService,
} from './localShop';

const { productList, productPages, productSearch, productPagesSlowly } = demoTasks;

describe('the node and the local service', () => {
	let service: RunningService;

	beforeAll(async () => {
		service = await startShopService();
	});

	afterAll(async () => {
		await service.stop();
	});

	const run = async (parameters: INodeParameters) =>
		await runNode({ parameters, credential: credentialOf(service) });

	const getData = async (taskId: string, parameters: INodeParameters = {}) =>
		await run({ operation: 'getData', taskId, returnAll: true, ...parameters });

	test('starts a task, waits by listing its batches, and gets the rows of the shop', async () => {
		const batch = await runTask(service, productList);
		const shop = await readShop(service);
		expect(batch).toMatchObject({ lineCount: shop.length, statusName: 'successful' });
		const { rows, hints } = await getData(productList);
		expect(rows).toEqual(shop);
		expect(rows.map((row) => Object.keys(row))).toEqual(
			rows.map(() => ['Name', 'Category', 'Price', 'Link']),
		);
		expect(hints).toEqual([expect.stringMatching(/^Batch \d+: 72 rows, 6 of them duplicates\.$/)]);
	});

	test('returns the batch as the service made it', async () => {
		const { rows } = await run({
			operation: 'start',
			taskId: ` ${productPages}\n`,
			nodeCount: 2,
			jobCount: 3,
			region: 'hk',
		});
		expect(rows).toEqual([
			expect.objectContaining({
				taskID: productPages,
				status: 1,
				statusName: 'waiting',
				nodeCount: 2,
				jobCount: 3,
				region: 'hk',
				endTime: 0,
			}),
		]);
	});

	test.each(['us', 'gb', 'hk', 'jp', ''])('runs in the region "%s"', async (region) => {
		const { rows, error } = await run({ operation: 'start', taskId: productSearch, region });
		expect(error).toBeUndefined();
		expect(rows[0].region).toBe(region || 'us');
	});

	test('stops a run, whose rows so far can be read', async () => {
		await run({ operation: 'start', taskId: productPagesSlowly });
		for (;;) {
			const { rows } = await run({ operation: 'listBatches', taskId: productPagesSlowly });
			if (Number(rows[0].lineCount) > 0) break;
		}
		const { rows: stopped } = await run({ operation: 'stop', taskId: productPagesSlowly });
		expect(stopped).toEqual([expect.objectContaining({ status: 4, statusName: 'stopped' })]);
		expect(Number(stopped[0].endTime)).toBeGreaterThan(0);

		const { error } = await getData(productPagesSlowly);
		expect(error?.message).toBe(`Task ${productPagesSlowly} has no finished batch yet`);
		expect(error?.description).toContain('Include Stopped');
		const { rows } = await getData(productPagesSlowly, { options: { includeStopped: true } });
		expect(rows[0]).toEqual(await productOnPage(service, 'P001'));
		expect(rows.length).toBeLessThan(20);
	});

	test('returns no more rows than the limit, the first 50 unless told otherwise', async () => {
		await runTask(service, productList);
		const shop = await readShop(service);
		const limited = await getData(productList, { returnAll: false });
		expect(limited.rows).toEqual(shop.slice(0, 50));
		const { rows } = await getData(productList, {
			returnAll: false,
			limit: 5,
			options: { pageSize: 2 },
		});
		expect(rows).toEqual(shop.slice(0, 5));
	});

	test('reads the same rows in pages of any size, one or more at once', async () => {
		await runTask(service, productList);
		const shop = await readShop(service);
		const one = await getData(productList, { options: { pageSize: 7, concurrency: 1 } });
		expect(one.rows).toEqual(shop);
		const many = await getData(productList, { options: { pageSize: 5, concurrency: 20 } });
		expect(many.rows).toEqual(shop);
	});

	test('goes on with smaller pages when the service refuses the size', async () => {
		await runTask(service, productList);
		const { rows } = await getData(productList, { options: { pageSize: 1001 } });
		expect(rows).toEqual(await readShop(service));
	});

	test('drops the rows that the shop repeats', async () => {
		await runTask(service, productList);
		const { rows } = await getData(productList, { options: { deduplication: 'read' } });
		const shop = await readShop(service);
		expect(rows).toEqual(shop.slice(0, 66));
		expect(shop).toHaveLength(72);
	});

	test('lets the service drop what it has sent before for a deduplication ID', async () => {
		await runTask(service, productList);
		const options = { deduplication: 'service', deduplicationId: 'shop-1', pageSize: 10 };
		const first = await getData(productList, { options });
		expect(first.rows).toEqual((await readShop(service)).slice(0, 66));
		const second = await getData(productList, { options });
		expect(second.rows).toEqual([]);
		expect(second.hints).toHaveLength(1);
	});

	test('cuts long values in a preview', async () => {
		await runTask(service, productPages);
		const product = await productOnPage(service, 'P001');
		const { rows } = await getData(productPages, { options: { preview: true } });
		expect(product.Description.length).toBeGreaterThan(100);
		expect(rows[0]).toEqual({ ...product, Description: product.Description.slice(0, 100) });
	});

	test('keeps the columns that are asked for, in that order', async () => {
		await runTask(service, productList);
		const { rows } = await getData(productList, { options: { fields: ['Price', 'Name'] } });
		const shop = await readShop(service);
		expect(rows).toEqual(shop.map(({ Price, Name }) => ({ Price, Name })));
		expect(Object.keys(rows[0])).toEqual(['Price', 'Name']);
	});

	test('gives rows the field ids as keys', async () => {
		await runTask(service, productList);
		const { rows } = await getData(productList, { options: { fieldKeys: 'ids' } });
		const [{ Name, Category, Price, Link }] = await readShop(service);
		expect(rows[0]).toEqual({
			'11111111-0000-4000-8000-200000000001': Name,
			'11111111-0000-4000-8000-200000000002': Category,
			'11111111-0000-4000-8000-200000000003': Price,
			'11111111-0000-4000-8000-200000000004': Link,
		});
	});

	test('adds batch and task to every row', async () => {
		const { batchID } = await runTask(service, productList);
		const { rows } = await getData(productList, { options: { includeBatch: true } });
		const shop = await readShop(service);
		expect(rows).toEqual(shop.map((row) => ({ ...row, _batchId: batchID, _taskId: productList })));
	});

	test('reads a batch by its 64-bit ID, from a list or typed in', async () => {
		const texts = {
			actionParams: { textList: [{ id: demoTasks.productSearchTexts, texts: 'mug' }] },
		};
		const { batchID } = await runTask(service, productSearch, texts);
		await runTask(service, productSearch);
		expect(batchID).toMatch(/^\d{16,}$/);
		const mugs = await searchInShop(service, 'mug');
		for (const mode of ['list', 'id']) {
			const { rows } = await getData(productSearch, {
				batch: 'id',
				batchId: { __rl: true, mode, value: batchID },
			});
			expect(rows.map(({ Name }) => Name)).toEqual(mugs);
		}
	});

	test('lists batches: newest first, most rows first, by status, up to the limit', async () => {
		const long = await runTask(service, productList);
		const short = await runTask(service, productList, {
			actionParams: {
				navigate: [
					{ id: demoTasks.productListStart, url: `${service.baseUrl}/shop/products?page=6` },
				],
			},
		});
		const list = { operation: 'listBatches', taskId: productList };
		const newest = await run({ ...list, orderBy: 0, limit: 2 });
		expect(newest.rows.map(({ batchID }) => batchID)).toEqual([short.batchID, long.batchID]);
		const mostRows = await run({ ...list, orderBy: 2, returnAll: true });
		expect(mostRows.rows.at(-1)).toMatchObject({ batchID: short.batchID, lineCount: 12 });
		const stopped = await run({ ...list, options: { status: [4] } });
		expect(stopped.rows).toEqual([]);
	});

	test('fills the batch dropdown, newest first, and filters it', async () => {
		const older = await runTask(service, productSearch);
		const newer = await runTask(service, productSearch);
		const setup = {
			parameters: { operation: 'getData', taskId: productSearch },
			credential: credentialOf(service),
		};
		const { results } = await openBatchDropdown(setup);
		expect(results.slice(0, 2).map(({ value }) => value)).toEqual([newer.batchID, older.batchID]);
		expect(results[0].name).toMatch(
			/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d · successful · \d+ rows · \d+$/,
		);
		const filtered = await openBatchDropdown(setup, older.batchID);
		expect(filtered.results.map(({ value }) => value)).toEqual([older.batchID]);
		expect((await openBatchDropdown(setup, 'STOPPED')).results).toEqual([]);
	});

	test('says what the service says about an unknown task', async () => {
		const unknownTask = await run({ operation: 'start', taskId: 'nobody' });
		expect(unknownTask.error).toMatchObject({
			message: 'Task or batch not found',
			httpCode: '404',
		});
		expect(unknownTask.error?.description).toContain('nobody');
	});
});
