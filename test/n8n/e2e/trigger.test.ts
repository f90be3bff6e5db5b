import { setTimeout as wait } from 'node:timers/promises';

import { executionEnded } from '../../../playground/execution.ts';
import { listAt, objectAt, textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { packageName } from '../../support/n8n/n8n';
import { useStage } from '../../support/n8n/stage';
import { cloudClient } from '../../support/service/cloudClient';
import { readShop } from '../../support/shop/shopRows';
import { pagesTask, shopTask } from '../../support/shop/shopTask';

/** n8n wants a minute at least between the polls of one schedule, but takes many schedules. */
const everyTenSeconds = [0, 10, 20, 30, 40, 50].map((second) => ({
	mode: 'custom',
	cronExpression: `${second} * * * * *`,
}));

describe('the trigger in a real n8n', () => {
	const stage = useStage();

	/** Stores a workflow that begins with the trigger, and activates it. */
	async function activate(taskId: string, parameters: JsonObject): Promise<string> {
		const { api } = stage.n8n;
		const stored = objectAt(
			await api.post('/rest/workflows', {
				name: 'Triggered',
				nodes: [
					{
						id: 'trigger',
						name: 'Trigger',
						type: `${packageName}.cloudScrapingTrigger`,
						typeVersion: 1,
						position: [0, 0],
						parameters: {
							taskId,
							pollTimes: { item: everyTenSeconds },
							...parameters,
						},
						credentials: { cloudScrapingApi: { id: stage.credential, name: 'Test' } },
					},
				],
				connections: {},
				settings: {},
			}),
		);
		const id = textAt(stored, 'id');
		await api.post(`/rest/workflows/${id}/activate`, { versionId: stored.versionId });
		return id;
	}

	/** What the trigger has given out so far, one list an execution. */
	async function firedItems(workflowId: string): Promise<JsonObject[][]> {
		const { api } = stage.n8n;
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const found = listAt(await api.get(`/rest/executions?filter=${filter}`), 'results');
		const ids = found.map((execution) => String(objectAt(execution).id)).reverse();
		const executions = [];
		for (const id of ids) executions.push(await executionEnded(api, id));
		return executions.map(({ runs }) => runs.Trigger[0].items);
	}

	/** How often the trigger of a task has asked; the test's own client writes its query in another order. */
	const polls = (taskId: string) =>
		stage.service.log.filter(
			({ url }) => String(url).startsWith('/cloud/batches?page=1') && String(url).includes(taskId),
		).length;

	it('fires once for each batch that ends after the activation', async () => {
		const client = cloudClient(stage.service);
		await client.run(shopTask.id);
		const batches = await activate(pagesTask, { output: 'batch' });
		const rows = await activate(shopTask.id, { output: 'rows' });
		// n8n activates in the background: what ends before the first poll is part of the baseline.
		while (polls(pagesTask) === 0 || polls(shopTask.id) === 0) await wait(100);

		const { batch: ended } = await client.run(pagesTask);
		await client.run(shopTask.id);
		while ((await firedItems(batches)).length === 0) await wait(1_000);
		while ((await firedItems(rows)).length === 0) await wait(1_000);
		const before = polls(pagesTask);
		while (polls(pagesTask) < before + 2) await wait(500);

		expect(await firedItems(batches)).toEqual([
			[expect.objectContaining({ batchID: Number(ended.batchID), status: 3 })],
		]);
		expect(await firedItems(rows)).toEqual([await readShop(stage.service)]);
	});
});
