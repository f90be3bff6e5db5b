import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import type { RunningService } from '../../support/service/startService';
import { credentialOf, demoTasks, runTask, startShopService } from './localShop';

const root = join(__dirname, '..', '..', '..');
const operations = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

// What the pages show as the output of an operation comes out of it.

describe('the output that is documented', () => {
	let service: RunningService;

	beforeAll(async () => {
		service = await startShopService();
		await runTask(service, demoTasks.productList);
	});

	afterAll(() => service.stop());

	const firstItem = async (parameters: INodeParameters): Promise<IDataObject> => {
		const { rows } = await runNode({ parameters, credential: credentialOf(service) });
		return rows[0];
	};

	const { productList: taskId, productPagesSlowly } = demoTasks;

	test('of Start Task', async () => {
		const start = { operation: 'start', taskId: productPagesSlowly };
		const item = await firstItem({ ...start, nodeCount: 2, jobCount: 2, region: 'us' });
		// The slow task has the column that stands on the page as its second one.
		const fields = item.fields as IDataObject[];
		expect(shape({ ...item, fields: fields.slice(1, 2) })).toEqual(shape(shownUnder('Start Task')));
	});

	test('of List Batches', async () => {
		const item = await firstItem({ operation: 'listBatches', taskId });
		const fields = (item.fields as IDataObject[]).slice(0, 1);
		expect(shape({ ...item, fields })).toEqual(shape(shownUnder('List Batches')));
	});

	test('of Get Data, as items and as a file', async () => {
		const [row, file] = jsonIn(operations, 'Get Data');
		const get = { operation: 'getData', taskId };
		const item = await firstItem(get);
		expect(atUsualAddress(item)).toEqual(row);
		expect(atUsualAddress(item)).toEqual(jsonIn(readme, 'Operations')[0]);
		expect(shape(await firstItem({ ...get, output: 'file' }))).toEqual(shape(file));
	});

	/** As on a machine where nothing else listens. */
	const atUsualAddress = (item: IDataObject) =>
		JSON.parse(
			JSON.stringify(item).replaceAll(service.baseUrl, 'http://127.0.0.1:8787'),
		) as IDataObject;
});

/** The keys of an item in their order, with the values that are the same each time. */
function shape(item: IDataObject): Array<[string, unknown]> {
	const changing = /^(batchID|\w+Time|bytes|fileName)$/;
	return Object.entries(item).map(([key, value]) => [
		key,
		changing.test(key) ? 'another each time' : value,
	]);
}

function shownUnder(heading: string): IDataObject {
	return jsonIn(operations, heading)[0];
}

function jsonIn(page: string, heading: string): IDataObject[] {
	const section = page.split(/^(?=## )/m).find((each) => each.startsWith(`## ${heading}\n`)) ?? '';
	return [...section.matchAll(/^```json\n(.*?)^```/gms)].map(
		([, text = '']) => JSON.parse(text) as IDataObject,
	);
}
