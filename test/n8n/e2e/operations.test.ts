import type { NodeRun } from '../../../playground/execution.ts';
import { listAt, objectAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { packageName } from '../../support/n8n/n8n';
import { useStage } from '../../support/n8n/stage';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { readShop } from '../../support/shop/shopRows';
import { shopTask, slowTask } from '../../support/shop/shopTask';

describe('the operations of the packed package in a real n8n', () => {
	const stage = useStage();

	async function run(parameters: JsonObject): Promise<NodeRun> {
		const execution = await stage.n8n.runWorkflow(
			chain(cloudScraping('Node', stage.credential, parameters)),
		);
		expect(execution.error).toBeUndefined();
		expect(execution.status).toBe('success');
		return execution.runs.Node[0];
	}

	/** Runs the shop's task to its end and returns its batch. */
	async function finishedBatch(): Promise<JsonObject> {
		const { items } = await run({ operation: 'start', taskId: shopTask.id });
		for (;;) {
			const { items: batches } = await run({ operation: 'listBatches', taskId: shopTask.id });
			const batch = batches.find(({ batchID }) => batchID === items[0].batchID);
			if (batch?.statusName === 'successful') return batch;
			expect(batch?.statusName).not.toBe('stopped');
		}
	}

	it('starts a task and gives out its waiting batch', async () => {
		const { items } = await run({ operation: 'start', taskId: shopTask.id });
		expect(items).toEqual([
			expect.objectContaining({
				taskID: shopTask.id,
				status: 1,
				statusName: 'waiting',
				lineCount: 0,
			}),
		]);
	});

	it('gets all rows of the latest finished batch, one item per row', async () => {
		await finishedBatch();
		const { items } = await run({ operation: 'getData', taskId: shopTask.id, returnAll: true });
		expect(items).toEqual(await readShop(stage.service));
	});

	it('reads the same rows in pages of seven, and stops at the limit', async () => {
		await finishedBatch();
		const { items } = await run({
			operation: 'getData',
			taskId: shopTask.id,
			returnAll: false,
			limit: 20,
			options: { pageSize: 7 },
		});
		expect(items).toEqual((await readShop(stage.service)).slice(0, 20));
	});

	it('drops the rows that the shop repeats', async () => {
		const batch = await finishedBatch();
		const { items } = await run({
			operation: 'getData',
			taskId: shopTask.id,
			returnAll: true,
			options: { deduplication: 'read' },
		});
		const different = new Set((await readShop(stage.service)).map((row) => JSON.stringify(row)));
		expect(items).toHaveLength(different.size);
		expect(items.length).toBeLessThan(Number(batch.lineCount));
	});

	it('sends the step values: another start page gives other rows', async () => {
		const { items } = await run({
			operation: 'start',
			taskId: shopTask.id,
			actionParams: {
				navigate: [
					{ id: shopTask.steps.open, url: `${stage.service.baseUrl}/shop/search?q=teapot` },
				],
			},
		});
		const batchId = { __rl: true, mode: 'id', value: String(items[0].batchID) };
		let rows: JsonObject[] = [];
		for (let status = ''; status !== 'successful';) {
			const { items: batches } = await run({ operation: 'listBatches', taskId: shopTask.id });
			status = String(batches.find(({ batchID }) => batchID === items[0].batchID)?.statusName);
			rows = (await run({ operation: 'getData', taskId: shopTask.id, batch: 'id', batchId })).items;
		}
		const teapots = (await readShop(stage.service)).filter(({ Name }) => /teapot/i.test(Name));
		expect(new Set(rows.map(({ Name }) => Name))).toEqual(new Set(teapots.map(({ Name }) => Name)));
		expect(rows.length).toBeGreaterThan(0);
	});

	it('stops the running batch of a task', async () => {
		const { items: started } = await run({ operation: 'start', taskId: slowTask });
		const { items: stopped } = await run({ operation: 'stop', taskId: slowTask });
		expect(stopped).toEqual([
			expect.objectContaining({ batchID: started[0].batchID, status: 4, statusName: 'stopped' }),
		]);
	});

	it('offers the batches of the task in the dropdown, newest first', async () => {
		const batch = await finishedBatch();
		const { items: batches } = await run({
			operation: 'listBatches',
			taskId: shopTask.id,
			returnAll: true,
		});
		const found = await stage.n8n.api.post(
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				path: 'parameters.batchId',
				methodName: 'searchBatches',
				nodeTypeAndVersion: { name: `${packageName}.cloudScraping`, version: 1 },
				currentNodeParameters: { operation: 'getData', taskId: shopTask.id, batch: 'id' },
				credentials: { cloudScrapingApi: { id: stage.credential, name: 'Test' } },
			},
		);
		const offered = listAt(found, 'results').map((result) => String(objectAt(result).value));
		expect(offered).toContain(String(batch.batchID));
		expect(offered).toEqual(batches.map(({ batchID }) => String(batchID)));
	});
});
