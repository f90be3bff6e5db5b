import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { logLine, wholeLog } from '../../support/engine/n8nLog';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page, refusal, reset } from '../../support/scriptedService/scriptedAnswers';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import type { SeenRequest } from '../../support/scriptedService/scriptedService';

describe('rows that the trigger cannot read', () => {
	const service = useScriptedService();

	const watching = async (options: INodeParameters = {}) => {
		const parameters = { taskId: service.taskID, output: 'rows', options };
		const trigger = new ActiveTrigger(parameters, service.credential);
		expect(await trigger.poll()).toBeNull();
		return trigger;
	};

	const rowsNamed = (...names: string[]) => names.map((name) => JSON.stringify({ name }));

	const namesOf = (items: INodeExecutionData[] | null) => items?.map(({ json }) => json.name);

	const ofBatch = (batchID: number) => (request: SeenRequest) =>
		request.query.batchID === String(batchID);

	test('are logged with the batch while others fire', async () => {
		const trigger = await watching();
		service.addBatch({ batchID: 4711 });
		service.addBatch({ rows: rowsNamed('c') });
		const { apiKey } = service.credential;
		service.script(ofBatch(4711), refusal(9000002, `not now, ${apiKey}`));
		expect(namesOf(await trigger.poll())).toEqual(['c']);
		const line = await logLine('Batch 4711 is read again at the next poll');
		expect(line).toContain('The service refused the request');
		expect(line).toContain('not now, [API key]');
		expect(await wholeLog()).not.toContain(apiKey);
	});

	// n8n shows whoever publishes a workflow the message of the first poll and nothing else.
	test('say all in the message where the workflow is published', async () => {
		service.script('batches', refusal(9000004, 'There is no task 4711'));
		const trigger = new ActiveTrigger({ taskId: service.taskID, options: {} }, service.credential);
		await expect(trigger.poll()).rejects.toThrow(
			new RegExp(
				`^Task or batch not found\\n[^]*no task 4711[^]*taskID "${service.taskID}"[^]*Request ID`,
			),
		);
		await expect(trigger.test()).rejects.toThrow(/^Task or batch not found$/);
	});

	/** The items of so many polls, each of which begins with what n8n has stored. */
	const pollTimes = async (trigger: ActiveTrigger, times: number) => {
		const items: IDataObject[] = [];
		for (let n = 0; n < times; n++) {
			for (const { json } of (await trigger.poll()) ?? []) items.push(json);
		}
		return items;
	};

	const readsOf = (batchID: number) => service.requests.filter(ofBatch(batchID)).length;

	test('come out once as their batch and the error, and are read in five polls only', async () => {
		const trigger = await watching();
		service.addBatch({ rows: ['{"name":"a"}', 'no row'] });
		service.addBatch({ rows: rowsNamed('b') });
		expect(await pollTimes(trigger, 4)).toEqual([{ name: 'b' }]);
		service.addBatch({ rows: rowsNamed('c') });
		expect(await pollTimes(trigger, 40)).toEqual([
			{ name: 'c' },
			expect.objectContaining({
				batchID: 1001,
				statusName: 'successful',
				error: expect.stringContaining('Row 2 on page 1') as unknown,
				description: expect.stringContaining('does not read batch 1001 again') as unknown,
			}),
		]);
		expect(readsOf(1001)).toBe(5);
		expect(trigger.staticData).not.toContain('"unread":{"');
		expect(await logLine('Batch 1001 is not read again')).toBeDefined();
	});

	test('may have been unreadable for a passing reason: up to five polls try', async () => {
		const trigger = await watching();
		service.addBatch({ rows: rowsNamed('a') });
		service.script(ofBatch(1001), refusal(9000002, 'not now'), { times: 4 });
		expect(await pollTimes(trigger, 6)).toEqual([{ name: 'a' }]);
	});

	test('are more than n8n can hold', async () => {
		const trigger = await watching();
		service.addBatch({ rows: rowsNamed('a') });
		service.script(ofBatch(1001), page(['{}'], { page: 1, total: 1_000_000 }));
		const [item] = await pollTimes(trigger, 5);
		expect(item.error).toContain('1,000,000 rows, too many for items');
		expect(item.description).toContain('Output: File');
	});

	describe('while the service deduplicates', () => {
		const deduplicated = { deduplication: 'service', deduplicationId: 'watch', pageSize: 2 };

		const isPage = (page: number) => (request: SeenRequest) =>
			request.endpoint === 'data' &&
			request.query.page === String(page) &&
			request.query.deduplicationID !== undefined;

		test.each<[string, number, Answer, string]>([
			['page 1 is cut', 1, reset, 'Could not reach '],
			['page 2 is cut', 2, reset, 'Could not reach '],
			['page 2 is refused', 2, refusal(9000002, 'not now'), 'The service refused the request'],
			['page 2 is too early', 2, { status: 429 }, 'The service is busy'],
			['page 2 is no row', 2, page(['-'], { page: 2, total: 3 }), 'Row 1 on page 2'],
		])(
			'are not read again when %s: the rest would look whole',
			async (_when, number, answer, said) => {
				const trigger = await watching(deduplicated);
				service.addBatch({ rows: rowsNamed('a', 'b', 'c') });
				service.script(isPage(number), answer, { times: 1 });
				const [item] = await pollTimes(trigger, 1);
				expect(item).toMatchObject({ batchID: 1001, error: 'Rows of batch 1001 may be lost' });
				expect(item.description).toContain(said);
				expect(JSON.stringify(item).match(/lost for the deduplication ID/g)).toHaveLength(1);
				expect(item.description).toContain('read it by its ID, with Get Data');
				const reads = readsOf(1001);
				expect(await pollTimes(trigger, 2)).toEqual([]);
				expect(readsOf(1001)).toBe(reads);
			},
		);

		test('are read again when surely none was sent', async () => {
			const trigger = await watching(deduplicated);
			service.addBatch({ rows: rowsNamed('a', 'b', 'c') });
			service.script('data', refusal(9000002, 'not now'), { times: 1 });
			expect(await trigger.poll()).toBeNull();
			expect(namesOf(await trigger.poll())).toEqual(['a', 'b', 'c']);
		});

		test('hold back no batch that was read well', async () => {
			const trigger = await watching(deduplicated);
			service.addBatch({ rows: rowsNamed('a') });
			service.addBatch({ rows: rowsNamed('b', 'c', 'd') });
			service.script(isPage(2), reset, { times: 1 });
			const [first, second] = await pollTimes(trigger, 1);
			expect(first).toEqual({ name: 'a' });
			expect(second).toMatchObject({ batchID: 1002, error: 'Rows of batch 1002 may be lost' });
			expect(await pollTimes(trigger, 2)).toEqual([]);
		});

		test('are lost of one batch only while the service cannot be reached', async () => {
			const trigger = await watching(deduplicated);
			for (const name of ['a', 'b', 'c']) service.addBatch({ rows: rowsNamed(name) });
			service.script(ofBatch(1002), reset, { times: 1 });
			const [first, second] = await pollTimes(trigger, 1);
			expect([first.name, second.error]).toEqual(['a', 'Rows of batch 1002 may be lost']);
			expect(await pollTimes(trigger, 2)).toEqual([{ name: 'c' }]);
		});
	});
});
