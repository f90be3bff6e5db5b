import type { INode } from 'n8n-workflow';

import { runNode } from './runNode';
import { refusal } from './scriptedAnswers';
import { startScriptedService } from './scriptedService';
import type { ScriptedService } from './scriptedService';

describe('input items', () => {
	let service: ScriptedService;

	beforeEach(async () => {
		service = await startScriptedService({ taskIDs: ['a', 'b'] });
		service.addBatch({ taskID: 'a', rows: ['{"n":1}', '{"n":2}'] });
		service.addBatch({ taskID: 'b', rows: ['{"n":3}'] });
	});

	afterEach(async () => {
		await service.stop();
	});

	const getDataOf = async (tasks: string[], settings?: Partial<INode>) =>
		await runNode({
			parameters: { operation: 'getData', taskId: '={{ $json.task }}' },
			credential: service.credential,
			input: tasks.map((task) => ({ task })),
			settings,
		});

	test('each has parameters of its own, and its rows point back to it', async () => {
		const { items } = await getDataOf(['b', 'a']);
		expect(items).toEqual([
			{ json: { n: 3 }, pairedItem: { item: 0 } },
			{ json: { n: 1 }, pairedItem: { item: 1 } },
			{ json: { n: 2 }, pairedItem: { item: 1 } },
		]);
	});

	test.each(['start', 'stop', 'listBatches'])('%s points back to its item', async (operation) => {
		service.addBatch({ taskID: 'b', status: 1 });
		const { items } = await runNode({
			parameters: { operation, taskId: '={{ $json.task }}', limit: 1 },
			credential: service.credential,
			input: [{ task: 'b' }],
		});
		expect(items).toHaveLength(1);
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	test('without input there is nothing to do', async () => {
		const { items, run } = await getDataOf([]);
		expect(items).toEqual([]);
		expect(run.data.resultData.error).toBeUndefined();
		expect(service.requests).toEqual([]);
	});

	test('the first that fails ends the node, and says which it was', async () => {
		const { error, items } = await getDataOf(['a', 'lost', 'b']);
		expect(items).toEqual([]);
		expect(error).toMatchObject({ message: 'Task or batch not found', context: { itemIndex: 1 } });
		expect(service.requests.map(({ query }) => query.taskID)).not.toContain('b');
	});

	test.each<[string, Partial<INode>]>([
		['continueOnFail', { continueOnFail: true }],
		['onError continueRegularOutput', { onError: 'continueRegularOutput' }],
	])('%s turns a failure into an item and goes on', async (_kind, settings) => {
		const { items, error } = await getDataOf(['a', 'lost', 'b'], settings);
		const requestId = service.requests.find(({ query }) => query.taskID === 'lost')?.headers[
			'x-cp-request-id'
		];
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{ json: { n: 1 }, pairedItem: { item: 0 } },
			{ json: { n: 2 }, pairedItem: { item: 0 } },
			{
				json: { error: 'Task or batch not found', code: 9000004, requestId },
				pairedItem: { item: 1 },
			},
			{ json: { n: 3 }, pairedItem: { item: 2 } },
		]);
	});

	test('onError continueErrorOutput sends the failure to the second output', async () => {
		const { items, errorItems } = await getDataOf(['a', 'lost', 'b'], {
			onError: 'continueErrorOutput',
		});
		expect(items.map(({ json }) => json)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
		expect(errorItems).toHaveLength(1);
		const requestId: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
		// n8n 2 takes code and request ID below `details`, n8n 1 beside the message.
		const { json } = errorItems[0];
		expect(Object.assign({}, json, json.details)).toMatchObject({
			error: 'Task or batch not found',
			code: 9000004,
			requestId,
		});
	});

	test('bad input becomes an item with its message alone', async () => {
		const { items } = await getDataOf([' ', 'b'], { continueOnFail: true });
		expect(items.map(({ json }) => json)).toEqual([{ error: 'The task ID is empty' }, { n: 3 }]);
	});

	test('a failure in the middle of a read returns none of its rows', async () => {
		service.batches[0].rows = Array.from({ length: 10 }, (_row, n) => JSON.stringify({ n }));
		service.script(({ query }) => query.page === '3', refusal(9000002, 'broken page'));
		const { items } = await runNode({
			parameters: { operation: 'getData', taskId: 'a', options: { pageSize: 2 } },
			credential: service.credential,
			settings: { continueOnFail: true },
		});
		expect(items.map(({ json }) => json.error)).toEqual(['The service refused the request']);
	});
});
