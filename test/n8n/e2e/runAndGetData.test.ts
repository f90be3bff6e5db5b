import { executionEnded } from '../../../playground/execution.ts';
import type { NodeRun } from '../../../playground/execution.ts';
import { objectAt, textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { useStage } from '../../support/n8n/stage';
import { chain, cloudScraping, manualTrigger } from '../../support/n8n/workflow';
import { readShop } from '../../support/shop/shopRows';
import { shopTask, slowTask } from '../../support/shop/shopTask';

const runOptions = { pollInterval: 1 };

describe('run and get data in a real n8n', () => {
	const stage = useStage();

	const node = (parameters: JsonObject) =>
		cloudScraping('Node', stage.credential, { operation: 'runAndGetData', ...parameters });

	async function run(parameters: JsonObject): Promise<NodeRun> {
		const execution = await stage.n8n.runWorkflow(chain(node(parameters)));
		expect(execution.error).toBeUndefined();
		return execution.runs.Node[0];
	}

	async function newestBatch(taskId: string): Promise<JsonObject> {
		const parameters = { operation: 'listBatches', taskId, limit: 1 };
		return (await run(parameters)).items[0];
	}

	it('starts a run, waits for it and gives out its rows', async () => {
		const { items, hints } = await run({
			taskId: shopTask.id,
			returnAll: true,
			options: runOptions,
		});
		expect(items).toEqual(await readShop(stage.service));
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^Batch \d+: ran (less than 1|\d+) s, (waited (less than 1|\d+) s, )?72 rows, 6 of them duplicates\.$/,
			),
		]);
	});

	it('puts the rows into files of n8n’s binary store', async () => {
		const { outputs } = await run({
			taskId: shopTask.id,
			returnAll: true,
			output: 'file',
			options: { ...runOptions, rowsPerFile: 50, fileName: 'shop' },
		});
		expect(outputs[0].map(({ json }) => json)).toMatchObject([
			{ rows: 50, part: 1, parts: 2, fileName: 'shop-001.csv' },
			{ rows: 22, part: 2, parts: 2, fileName: 'shop-002.csv' },
		]);
		const [binary] = outputs[0].map((item) => objectAt(objectAt(item, 'binary'), 'data'));
		expect(binary).toMatchObject({ mimeType: 'text/csv', fileName: 'shop-001.csv' });
	});

	it('gives out what is new across executions, and nothing twice', async () => {
		const workflow = chain(
			node({
				taskId: shopTask.id,
				returnAll: true,
				options: { ...runOptions, deduplication: 'history', keyFields: ['Link'] },
			}),
		);
		const stored = await stage.n8n.api.post('/rest/workflows', workflow);
		const rowsOfNextRun = async () => {
			const started = await stage.n8n.api.post(`/rest/workflows/${textAt(stored, 'id')}/run`, {
				triggerToStartFrom: { name: manualTrigger.name },
			});
			const id = textAt(started, 'executionId');
			const { runs } = await executionEnded(stage.n8n.api, id);
			return runs.Node[0].items;
		};
		const first = await rowsOfNextRun();
		const links = new Set((await readShop(stage.service)).map(({ Link }) => Link));
		expect(first.filter(({ _change }) => _change === 'new')).toHaveLength(links.size);
		expect(await rowsOfNextRun()).toEqual([]);
	});

	it('stops the task when the execution is cancelled, and ends at once', async () => {
		const workflow = chain(node({ taskId: slowTask, options: runOptions }));
		const executionId = await stage.n8n.beginWorkflow(workflow);
		let batch: JsonObject | undefined;
		while (batch?.statusName !== 'running') batch = await newestBatch(slowTask);

		await stage.n8n.api.post(`/rest/executions/${executionId}/stop`, {});
		const { status } = await executionEnded(stage.n8n.api, executionId);
		expect(status).toBe('canceled');
		const stopped = await newestBatch(slowTask);
		expect(stopped).toMatchObject({ batchID: batch.batchID, statusName: 'stopped' });
		expect(Number(stopped.lineCount)).toBeLessThan(20);
	});
});
