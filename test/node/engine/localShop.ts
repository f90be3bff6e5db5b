import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import type { RunningService } from '../../support/service/startService';
import { startService } from '../../support/service/startService';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';

/** The demo tasks of the local service, and the steps that the tests give values to. */
export const demoTasks = {
	productList: '11111111-1111-4111-8111-111111111111',
	productListStart: '11111111-0000-4000-8000-100000000001',
	productPages: '22222222-2222-4222-8222-222222222222',
	productPagesUrls: '22222222-0000-4000-8000-100000000001',
	productSearch: '33333333-3333-4333-8333-333333333333',
	productSearchTexts: '33333333-0000-4000-8000-100000000002',
	productPagesSlowly: '55555555-5555-4555-8555-555555555555',
} as const;

/** Tasks that the demo lacks: a text that is typed, a loop by count, and pages up to a number. */
export const ownTasks = {
	oneSearch: uuidOf('one search'),
	oneSearchText: uuidOf('typed text'),
	countedLoop: uuidOf('counted loop'),
	countedLoopTimes: uuidOf('times of the counted loop'),
	firstPages: uuidOf('first pages'),
	firstPagesTimes: uuidOf('times of the first pages'),
} as const;

const extractCards = extract({ Name: 'h2' }, '.card');

const ownTaskFiles = {
	'one-search': task('one search', [
		step('navigate', { url: '{site}/shop/' }),
		step('inputText', { selector: '#search input', text: 'lamp' }, 'typed text'),
		step('click', { selector: '#search button' }),
		extractCards,
	]),
	'counted-loop': task('counted loop', [
		step('navigate', { url: '{site}/shop/products/P001' }),
		loop({ loopType: 'count', times: 1 }, [extract({ Name: 'h1' })], 'times of the counted loop'),
	]),
	'first-pages': task('first pages', [
		step('navigate', { url: '{site}/shop/products' }),
		loop(
			{ loopType: 'page', selector: 'a.next', timesMode: 'custom', times: 1 },
			[extractCards],
			'times of the first pages',
		),
	]),
};

/** Starts the local service, a process of its own, with its demo tasks and `ownTasks`. */
export async function startShopService(): Promise<RunningService> {
	const demo = ['product-list', 'product-pages', 'product-search', 'product-pages-slowly'];
	const folder = join(__dirname, '..', '..', '..', 'service', 'tasks');
	const demoTaskFiles: Record<string, unknown> = {};
	for (const name of demo) {
		demoTaskFiles[name] = readFileSync(join(folder, `${name}.json`), 'utf8');
	}
	return await startService({
		tasks: { ...demoTaskFiles, ...ownTaskFiles },
		// Batch identifiers that only the node's own reading of JSON keeps exact.
		env: { SERVICE_AGENTS: '8', SERVICE_LARGE_IDS: 'true' },
	});
}

/** A batch item of the node; the local service's identifiers have 60 bits, so they come as text. */
export interface EndedBatch extends IDataObject {
	batchID: string;
}

/** Starts a task by the node, waits for its end by the node, and returns the ended batch. */
export async function runTask(
	service: RunningService,
	taskId: string,
	settings: INodeParameters = {},
): Promise<EndedBatch> {
	const credential = credentialOf(service);
	const { rows: started, error } = await runNode({
		parameters: { operation: 'start', taskId, ...settings },
		credential,
	});
	if (error) throw new Error(`${error.message}\n${error.description}`);
	for (;;) {
		const { rows } = await runNode({
			parameters: { operation: 'listBatches', taskId },
			credential,
		});
		const batch = rows.find(({ batchID }) => batchID === started[0].batchID);
		if (batch?.statusName === 'successful') {
			const { batchID } = batch;
			if (typeof batchID !== 'string') throw new Error('The batch ID has lost digits');
			return { ...batch, batchID };
		}
		await wait(50);
	}
}

export function credentialOf({ baseUrl, apiKey }: RunningService) {
	return { baseUrl, apiKey };
}

/** What the shop's own page says about a product. */
export async function productOnPage(service: RunningService, number: string) {
	const html = await (await fetch(`${service.baseUrl}/shop/products/${number}`)).text();
	const text = (pattern: RegExp) => plain(pattern.exec(html)?.[1] ?? '');
	return {
		Number: text(/class="number">(.*?)</s),
		Name: text(/<h1>(.*?)</s),
		Category: text(/class="category">(.*?)</s),
		Price: text(/class="price">(.*?)</s),
		Stock: text(/data-stock="(.*?)"/s),
		Description: text(/class="description">(.*?)</s),
	};
}

/** Names of the products that the shop's own search finds. */
export async function searchInShop(service: RunningService, words: string): Promise<string[]> {
	const url = `${service.baseUrl}/shop/search?q=${encodeURIComponent(words)}`;
	const html = await (await fetch(url)).text();
	return [...html.matchAll(/<h2><a [^>]*>(.*?)<\/a>/gs)].map(([, name]) => plain(name));
}

function plain(html: string): string {
	return html
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&amp;', '&')
		.trim();
}
