import type { INode } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal, success } from '../../support/scriptedService/scriptedAnswers';
import { asStarted } from '../../support/scriptedService/scriptedStore';

const containing = (text: string): unknown => expect.stringContaining(text);

describe('input items', () => {
	const service = useScriptedService(() => ({ taskIDs: ['a', 'b'] }));

	beforeEach(() => {
		service.addBatch({ taskID: 'a', rows: ['{"n":1}', '{"n":2}'] });
		service.addBatch({ taskID: 'b', rows: ['{"n":3}'] });
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

	const uuid = '0b7e2f4a-3c1d-4e5f-8a9b-1f2e3d4c5b6a';

	test.each([
		['a link of the console', `https://host/console/tasks/${uuid}/batches/7`, uuid],
		['a text with it twice', `${uuid} (https://host/${uuid})`, uuid],
		['a text without a UUID', ' shop 7 ', 'shop 7'],
		['a longer number than a UUID', `${uuid}0`, `${uuid}0`],
	])('%s means a task', async (_what, task, meant) => {
		const { error } = await runNode({
			parameters: { operation: 'stop', taskId: '={{ $json.task }}' },
			credential: service.credential,
			input: [{ task }],
		});
		expect(error?.message).toBe('Task or batch not found');
		expect(service.sentTo('stop').map(({ body }) => body)).toEqual([{ taskID: meant }]);
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
				json: {
					error: 'Task or batch not found',
					description: containing('Asked for: taskID "lost"'),
					code: 9000004,
					requestId,
				},
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
		const { error, message, ...rest } = errorItems[0].json;
		// n8n adds the keys of the input item.
		expect(rest).toEqual({ task: 'lost' });
		expect(error).toBe('Task or batch not found');
		expect(message).toMatch(/^Task or batch not found\n/);
		expect(message).toContain('Asked for: taskID "lost"');
		expect(message).toMatch(/\nRequest ID: [0-9a-f-]{36}\nCode: 9000004$/);
	});

	test.each<[string, Partial<INode>]>([
		['continueRegularOutput', { onError: 'continueRegularOutput' }],
		['continueErrorOutput', { onError: 'continueErrorOutput' }],
	])('onError %s keeps the batch of a run that was started', async (onError, settings) => {
		service.script('start', () => success(asStarted(service.addBatch({ taskID: 'a' }))));
		service.script('data', refusal(9000002, 'no rows today'));
		const { items, errorItems } = await runNode({
			parameters: {
				operation: 'runAndGetData',
				taskId: 'a',
				options: { pollInterval: 1 },
			},
			credential: service.credential,
			settings,
		});
		const { batchID } = service.batches[service.batches.length - 1];
		const advice = `Batch ${batchID} has ended and is paid for: get its rows with Get Data (Batch: Specific Batch, By ID: ${batchID}) instead of starting the task again.`;
		if (onError === 'continueErrorOutput') {
			expect(items).toEqual([]);
			expect(errorItems[0].json).toEqual({
				error: 'The service refused the request',
				message: containing(advice),
			});
			expect(errorItems[0].json.message).toMatch(new RegExp(`Batch ID: ${batchID}$`));
		} else {
			expect(items[0].json).toEqual({
				error: 'The service refused the request',
				description: containing(advice),
				code: 9000002,
				requestId: service.requests.at(-1)?.headers['x-cp-request-id'],
				batchID,
			});
		}
	});

	test('bad input becomes an item with its message and what to do', async () => {
		const { items } = await getDataOf([' ', 'b'], { continueOnFail: true });
		expect(items.map(({ json }) => json)).toEqual([
			{ error: 'The task ID is empty', description: 'Enter the ID of the task to use.' },
			{ n: 3 },
		]);
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
