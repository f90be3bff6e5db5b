import '../../support/engine/engineEnvironment';

import { PollContext } from 'n8n-core';
import type { INode, INodeParameters } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { CloudScrapingTrigger } from '../../../nodes/CloudScraping/CloudScrapingTrigger.node';
import { engineWorkflow } from '../../support/engine/engineWorkflow';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';

describe('requests to the service', () => {
	const service = useScriptedService();

	const getData = async (parameters: INodeParameters) =>
		await runOn(service, { operation: 'getData', ...parameters });

	const pagesAskedFor = () =>
		service.sentTo('data').map(({ query: { page, size } }) => [Number(page), Number(size)]);

	test('3 for 1,000 rows of the latest batch at 500 rows a page', async () => {
		service.addBatch({ rows: rows(1_000) });
		const { rows: read } = await getData({ returnAll: true, options: { pageSize: 500 } });
		expect(read).toHaveLength(1_000);
		expect(service.requests.map(({ endpoint }) => endpoint)).toEqual(['batches', 'data', 'data']);
	});

	test('2 for the newest of 10,000 batches by its id', async () => {
		for (let count = 0; count < 9_999; count++) service.addBatch();
		const { batchID } = service.addBatch({ rows: rows(1) });
		const { rows: read } = await getData({ batch: 'id', batchId: String(batchID) });
		expect(read).toHaveLength(1);
		expect(service.requests.map(({ endpoint }) => endpoint)).toEqual(['batches', 'data']);
		expect(Number(service.sentTo('batches')[0].query.size)).toBeLessThanOrEqual(100);
	});

	test('no page that the limit does not need, and none larger', async () => {
		service.addBatch({ rows: rows(1_000) });
		await getData({ limit: 5, options: { pageSize: 500, concurrency: 10 } });
		expect(pagesAskedFor()).toEqual([[1, 5]]);
	});

	test('only the pages that a limit across pages needs', async () => {
		service.addBatch({ rows: rows(1_000) });
		const { rows: read } = await getData({
			limit: 250,
			options: { pageSize: 100, concurrency: 10 },
		});
		expect(read).toHaveLength(250);
		expect(pagesAskedFor().map(([page]) => page)).toEqual([1, 2, 3]);
	});

	test('one page when its rows without duplicates are enough', async () => {
		service.addBatch({ rows: rows(1_000) });
		const options = { pageSize: 100, concurrency: 10, deduplication: 'read' };
		const { rows: read } = await getData({ limit: 50, options });
		expect(read).toHaveLength(50);
		expect(pagesAskedFor()).toEqual([[1, 100]]);
	});

	test('never more at once than allowed', async () => {
		service.addBatch({ rows: rows(1_000) });
		await getData({ returnAll: true, options: { pageSize: 20, concurrency: 4 } });
		expect(pagesAskedFor()).toHaveLength(50);
		expect(service.mostAtOnce()).toBeLessThanOrEqual(4);
	});

	test('1 for a quiet poll of the trigger, however many batches there were', async () => {
		for (let count = 0; count < 250; count++) service.addBatch();
		const poll = trigger(service);
		await poll();
		const baseline = service.requests.length;
		expect(await poll()).toBeNull();
		expect(await poll()).toBeNull();
		expect(service.requests.slice(baseline).map(({ endpoint }) => endpoint)).toEqual([
			'batches',
			'batches',
		]);
	});
});

function rows(count: number): string[] {
	return Array.from({ length: count }, (_, n) => JSON.stringify({ n }));
}

/** Polls as n8n-core does, with one memory for all polls. */
function trigger({ credential, taskID }: ScriptedService) {
	const node: INode = {
		id: 't1',
		name: 'Cloud Scraping Trigger',
		type: 'n8n-nodes-cloud-scraping.cloudScrapingTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: { taskId: taskID },
		credentials: { cloudScrapingApi: { id: '1', name: 'Cloud Scraping' } },
	};
	const type = new CloudScrapingTrigger();
	const workflow = new Workflow({
		id: 'w1',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	const { additionalData } = engineWorkflow({ parameters: {}, credential });
	const context = new PollContext(workflow, node, additionalData, 'trigger', 'activate');
	return async () => await type.poll.call(context);
}
