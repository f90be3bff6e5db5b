import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { vi } from 'vitest';

import { engineWorkflow } from '../../support/engine/engineWorkflow';
import { runOn, startNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal } from '../../support/scriptedService/scriptedAnswers';
import { useProcessedData } from './processedData';
import { readsWithHistory } from './readsWithHistory';
import { retryOnFail } from './retryOnFail';

describe('deduplication across executions', () => {
	const processed = useProcessedData();
	const service = useScriptedService(() => ({ taskIDs: ['first', 'later'] }));

	const { history, fields, scraped, getData } = readsWithHistory(service);

	test('returns rows that no execution has returned before', async () => {
		scraped(['a', 1], ['b', 2]);
		expect((await getData()).rows).toEqual([
			{ Name: 'a', Price: 1 },
			{ Name: 'b', Price: 2 },
		]);
		scraped(['b', 2], ['c', 3], ['a', 9]);
		expect((await getData()).rows).toEqual([
			{ Name: 'c', Price: 3 },
			{ Name: 'a', Price: 9 },
		]);
		const { rows, hints } = await getData();
		expect(rows).toEqual([]);
		expect(hints[0]).toContain('0 new of 3 rows, 3 were returned before.');
	});

	test('returns equal rows of one read once', async () => {
		scraped(['a', 1], ['a', 1], ['b', 2], ['a', 1]);
		expect((await getData({ pageSize: 1 })).rows).toHaveLength(2);
	});

	test('remembers the rows that it returns, and none beyond the limit', async () => {
		scraped(['a', 1], ['b', 2], ['c', 3]);
		expect((await getData({}, { limit: 2 })).rows).toHaveLength(2);
		expect((await getData()).rows).toEqual([{ Name: 'c', Price: 3 }]);
	});

	test('the limit counts rows that are new', async () => {
		scraped(['a', 1], ['b', 2]);
		await getData();
		scraped(['a', 1], ['b', 2], ['c', 3], ['d', 4], ['e', 5]);
		expect((await getData({}, { limit: 2 })).rows.map(({ Name }) => Name)).toEqual(['c', 'd']);
	});

	const old = Array.from({ length: 3_000 }, (_row, n): [string, number] => [`old ${n}`, n]);
	const fresh = (from: number, to: number) =>
		Array.from({ length: to - from }, (_row, n): [string, number] => [`new ${from + n}`, n]);

	test.each([
		{ keyFields: [], most: 12 },
		{ keyFields: ['Name'], most: 30 },
	])('asks the store for as many rows as may come out: %j', async ({ keyFields, most }) => {
		scraped(...old);
		await getData({ keyFields });
		scraped(...old, ...fresh(0, 4));
		const before = processed.calls;
		const { rows } = await getData({ keyFields }, { limit: 300 });
		expect(rows).toHaveLength(4);
		expect(processed.calls - before).toBeLessThanOrEqual(most + 4);
	});

	test.each([[[]], [['Name']]])(
		'leaves what is far behind for the next execution once half the limit is due (key columns %j)',
		async (keyFields) => {
			scraped(...old);
			await getData({ keyFields });
			scraped(...fresh(0, 49), ...old, ...fresh(49, 60));
			const before = processed.calls;
			const { rows, hints } = await getData({ keyFields }, { limit: 50 });
			expect(rows).toHaveLength(49);
			expect(processed.calls - before).toBeLessThan(450);
			expect(hints[0]).toContain('49 new of 3,060 rows (Limit)');
			const next = await getData({ keyFields }, { limit: 50 });
			expect(next.rows.map(({ Name }) => Name)).toEqual(fresh(49, 60).map(([name]) => name));
		},
	);

	test('remembers nothing of a read that fails', async () => {
		scraped(['a', 1], ['b', 2], ['c', 3]);
		service.script(({ query }) => query.page === '3', refusal(9000004, 'no'), { times: 1 });
		expect((await getData({ pageSize: 1 })).error).toBeDefined();
		expect((await getData()).rows).toHaveLength(3);
	});

	test('remembers nothing when a later item fails the node', async () => {
		scraped(['a', 1]);
		const parameters = {
			operation: 'getData',
			taskId: '={{ $json.task }}',
			options: history,
		};
		const input = [{ task: service.taskID }, { task: 'lost' }];
		expect((await runOn(service, parameters, { input })).error).toBeDefined();
		const settings = { continueOnFail: true };
		const { rows } = await runOn(service, parameters, { input, settings });
		expect(rows).toEqual([{ Name: 'a', Price: 1 }, expect.objectContaining({ code: 9000004 })]);
		expect((await getData()).rows).toEqual([]);
	});

	test('Retry On Fail for another item returns the rows of the first try', async () => {
		scraped(['a', 1], ['b', 2]);
		const { rows, hints } = await runOn(
			service,
			{ operation: 'getData', taskId: '={{ $json.task }}', returnAll: true, options: history },
			{
				input: [{ task: 'lost' }, { task: service.taskID }],
				settings: { ...retryOnFail, onError: 'continueRegularOutput' },
			},
		);
		expect(rows).toEqual([
			expect.objectContaining({ code: 9000004 }),
			{ Name: 'a', Price: 1 },
			{ Name: 'b', Price: 2 },
		]);
		expect(hints.join()).not.toContain('duplicate');
		expect((await getData()).rows).toEqual([]);
	});

	describe.each([[[]], [['Name']]])('key columns %j', (keyFields) => {
		const options = { ...history, keyFields };
		const parameters = { operation: 'getData', taskId: '={{ $json.task }}', options };

		const namesOf = (rows: IDataObject[]) => rows.map(({ Name, Price }) => [Name, Price]);

		test('Retry On Fail keeps the rows of finished items, and sees what has changed meanwhile', async () => {
			scraped(['a', 1], ['b', 1]);
			service.script(
				({ query }) => query.taskID === 'later',
				() => {
					scraped(['a', 2], ['b', 1]);
					// Of a read, this code is final: the node fails, and n8n tries again.
					return refusal(9000004, 'no');
				},
				{ times: 1 },
			);
			service.addBatch({ taskID: 'later', fields, rows: ['{"f1":"c","f2":1}'] });
			const { rows } = await runOn(service, parameters, {
				input: [{ task: service.taskID }, { task: 'later' }],
				settings: retryOnFail,
			});
			expect(namesOf(rows)).toEqual([
				['a', 1],
				['b', 1],
				['c', 1],
			]);
			expect(namesOf((await getData({ keyFields })).rows)).toEqual([['a', 2]]);
		});

		test('remembers nothing when all tries fail', async () => {
			scraped(['a', 1]);
			const { error } = await runOn(service, parameters, {
				input: [{ task: service.taskID }, { task: 'lost' }],
				settings: retryOnFail,
			});
			expect(error).toBeDefined();
			const { rows } = await getData({ keyFields });
			expect(namesOf(rows)).toEqual([['a', 1]]);
			expect((await getData({ keyFields })).rows).toEqual([]);
		});
	});

	test('Retry On Fail because of a column named "error" returns the same rows', async () => {
		service.addBatch({ fields: [{ id: 'f1', name: 'error' }], rows: ['{"f1":"none"}'] });
		const { rows } = await runOn(
			service,
			{ operation: 'getData', options: history },
			{ settings: retryOnFail },
		);
		expect(rows).toEqual([{ error: 'none' }]);
		expect((await getData()).rows).toEqual([]);
	});

	test('remembers nothing of an execution that is cancelled once all is read', async () => {
		scraped(['a', 1]);
		const record = processed.checkProcessedAndRecord.bind(processed);
		const recording = vi.spyOn(processed, 'checkProcessedAndRecord');
		const { run } = startNode({
			parameters: { operation: 'getData', taskId: service.taskID, options: history },
			credential: service.credential,
		});
		recording.mockImplementationOnce(async (...asked) => {
			const answer = await record(...asked);
			run.cancel();
			return answer;
		});
		await run.catch(() => {});
		for (let tries = 0; processed.size > 0 && tries < 1_000; tries++) await wait(5);
		expect(processed.size).toBe(0);
		recording.mockRestore();
		expect((await getData()).rows).toHaveLength(1);
	});

	test('rows are known again under other keys, in another order of columns, and in files', async () => {
		scraped(['a', 1], ['b', 2]);
		await getData({ fieldKeys: 'ids', fields: ['f2', 'f1'] });
		scraped(['a', 1], ['c', 3]);
		const options = { fields: ['Name', 'Price'] };
		const { items } = await getData(options, { output: 'file' });
		expect(items[0].json.rows).toBe(1);
		const csv = Buffer.from(items[0].binary?.data.data ?? '', 'base64').toString();
		expect(csv).toBe('Name,Price\r\nc,3\r\n');
	});

	test.each([[[]], [['Name']]])(
		'columns that are not returned make no row another one (key columns %j)',
		async (keyFields) => {
			const options = { keyFields, fields: ['Name'] };
			scraped(['a', 1], ['b', 2]);
			expect((await getData(options)).rows).toHaveLength(2);
			scraped(['a', 7], ['b', 8], ['c', 9]);
			expect((await getData(options)).rows.map(({ Name }) => Name)).toEqual(['c']);
		},
	);

	test.each([[[]], [['Name']]])('remembers no more than is bounded (%j)', async (keyFields) => {
		scraped(['a', 1]);
		await getData({ keyFields });
		const { workflow, cloudScraping } = engineWorkflow({
			parameters: {},
			credential: service.credential,
		});
		const others = Array.from({ length: 300_000 }, (_entry, n) => `other ${n}`);
		await processed.checkProcessedAndRecord(others, 'node', { workflow, node: cloudScraping });
		scraped(['b', 1]);
		expect((await getData({ keyFields })).rows).toHaveLength(1);
		expect(processed.size).toBeLessThanOrEqual(300_000);
	});

	test('a run without a history returns all rows', async () => {
		scraped(['a', 1]);
		await getData();
		expect((await getData({ deduplication: 'off' })).rows).toHaveLength(1);
	});
});
