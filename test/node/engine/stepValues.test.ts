import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import type { RunningService } from '../../support/service/startService';
import { readShop } from '../../support/shop/shopRows';
import {
	credentialOf,
	demoTasks,
	ownTasks,
	productOnPage,
	runTask,
	searchInShop,
	startShopService,
} from './localShop';

describe('step values', () => {
	let service: RunningService;

	beforeAll(async () => {
		service = await startShopService();
	});

	afterAll(async () => {
		await service.stop();
	});

	/** Rows of a run with these step values. */
	const rowsOf = async (taskId: string, settings: INodeParameters) => {
		await runTask(service, taskId, settings);
		const { rows } = await runNode({
			parameters: { operation: 'getData', taskId, returnAll: true },
			credential: credentialOf(service),
		});
		return rows;
	};

	const names = async (taskId: string, settings: INodeParameters) =>
		(await rowsOf(taskId, settings)).map(({ Name }) => Name);

	const products = async (...numbers: string[]) =>
		await Promise.all(numbers.map(async (number) => await productOnPage(service, number)));

	test('Navigate: URL opens another page', async () => {
		const url = `${service.baseUrl}/shop/products?page=6`;
		const navigate = [{ id: demoTasks.productListStart, url }];
		const rows = await rowsOf(demoTasks.productList, { actionParams: { navigate } });
		expect(rows).toEqual((await readShop(service)).slice(60));
	});

	test('Input: Text types another text, also none', async () => {
		const found = async (text: string) =>
			await names(ownTasks.oneSearch, {
				actionParams: { inputText: [{ id: ownTasks.oneSearchText, text }] },
			});
		expect(await found('café "noir" l')).toEqual(await searchInShop(service, 'café "noir" l'));
		expect(await found('')).toHaveLength(66);
	});

	test('Loop: Times repeats a loop as often', async () => {
		const loopTimes = [{ id: ownTasks.countedLoopTimes, times: 3 }];
		const rows = await names(ownTasks.countedLoop, { actionParams: { loopTimes } });
		const [{ Name }] = await products('P001');
		expect(rows).toEqual([Name, Name, Name]);
	});

	test.each([
		['lines', (urls: string[]) => ` ${urls.join(' \r\n\n')}\n`],
		['an array of an expression', (urls: string[]) => `={{ ${JSON.stringify(urls)} }}`],
	])('Loop: URL List opens the pages of %s, in order', async (_kind, asValue) => {
		const urls = ['P041', 'P007', 'P033'].map((n) => `${service.baseUrl}/shop/products/${n}`);
		const urlList = [{ id: demoTasks.productPagesUrls, urls: asValue(urls) }];
		const rows = await rowsOf(demoTasks.productPages, { actionParams: { urlList } });
		expect(rows).toEqual(await products('P041', 'P007', 'P033'));
	});

	test('Loop: Text List types each text', async () => {
		const textList = [{ id: demoTasks.productSearchTexts, texts: 'bowl\nvase <small>' }];
		const found = await names(demoTasks.productSearch, { actionParams: { textList } });
		expect(found).toEqual([
			...(await searchInShop(service, 'bowl')),
			...(await searchInShop(service, 'vase <small>')),
		]);
	});

	test('Custom Field sets the field at a path: an integer, a string, a list', async () => {
		const custom = (entry: INodeParameters) => ({ actionParams: { custom: [entry] } });
		const pages = await names(
			ownTasks.firstPages,
			custom({
				id: ownTasks.firstPagesTimes,
				path: 'config.times',
				valueType: 'integer',
				value: '2',
			}),
		);
		expect(pages).toEqual((await readShop(service)).slice(0, 24).map(({ Name }) => Name));
		const typed = await names(
			ownTasks.oneSearch,
			custom({
				id: ownTasks.oneSearchText,
				path: 'config.text',
				valueType: 'string',
				value: 'vase',
			}),
		);
		expect(typed).toEqual(await searchInShop(service, 'vase'));
		const texts = await names(
			demoTasks.productSearch,
			custom({ id: demoTasks.productSearchTexts, valueType: 'list', value: 'teapot' }),
		);
		expect(texts).toEqual(await searchInShop(service, 'teapot'));
	});

	test.each([
		['text', (value: object) => JSON.stringify(value)],
		['an expression', (value: object) => `={{ ${JSON.stringify(value)} }}`],
	])('JSON as %s gives the values of several steps', async (_kind, asValue) => {
		const rows = await names(ownTasks.firstPages, {
			specifyActionParams: 'json',
			actionParamsJson: asValue([{ id: ownTasks.firstPagesTimes, path: 'config.times', value: 3 }]),
		});
		expect(rows).toEqual((await readShop(service)).slice(0, 36).map(({ Name }) => Name));
	});

	test.each([
		['of no step', '99999999-0000-4000-8000-100000000001', 'no step has the id'],
		[
			'of another kind of step',
			demoTasks.productListStart,
			'the value of config.url must be a string',
		],
	])(
		'a step ID %s: the entry is named, and what the service says of it',
		async (_kind, id, said) => {
			const { error } = await runNode({
				parameters: {
					operation: 'start',
					taskId: demoTasks.productList,
					actionParams: { textList: [{ id, texts: 'lamp' }] },
				},
				credential: credentialOf(service),
			});
			expect(error?.message).toBe('Loop: Text List 1: the service refused this step value');
			expect(error?.description).toContain(said);
			expect(error?.description).toContain(`The step ID entered is "${id}"`);
		},
	);

	test('a split run returns the rows in the order of the list', async () => {
		const numbers = ['P010', 'P020', 'P030', 'P040', 'P050'];
		const urls = numbers.map((number) => `${service.baseUrl}/shop/products/${number}`).join('\n');
		const settings = {
			nodeCount: 5,
			jobCount: 4,
			actionParams: { urlList: [{ id: demoTasks.productPagesUrls, urls }] },
		};
		expect(await rowsOf(demoTasks.productPages, settings)).toEqual(await products(...numbers));
	});
});
