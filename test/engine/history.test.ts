import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { runOn, startNode } from '../support/engine/runNode';
import { refusal } from '../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../support/scriptedService/scriptedService';
import type { ScriptedService } from '../support/scriptedService/scriptedService';
import { startProcessedData } from './processedData';
import type { ProcessedData } from './processedData';
import { retryOnFail } from './retryOnFail';

describe('deduplication across executions', () => {
	let processed: ProcessedData;
	let service: ScriptedService;

	beforeAll(async () => {
		processed = await startProcessedData();
	});

	beforeEach(async () => {
		processed.forgetAll();
		service = await startScriptedService();
	});

	afterEach(async () => {
		await service.stop();
	});

	const history = { deduplication: 'history' };

	const fields = [
		{ id: 'f1', name: 'Name' },
		{ id: 'f2', name: 'Price' },
	];

	/** The next batch has these rows: name and price. */
	const scraped = (...rows: Array<[string, number]>) =>
		service.addBatch({ fields, rows: rows.map(([f1, f2]) => JSON.stringify({ f1, f2 })) });

	const getData = async (
		options: INodeParameters = {},
		{ limit, ...parameters }: INodeParameters = {},
	) =>
		await runOn(service, {
			operation: 'getData',
			...(limit === undefined ? { returnAll: true } : { limit }),
			...parameters,
			options: { ...history, ...options },
		});

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
		expect(hints[0]).toContain('0 rows, 3 duplicates. All rows are duplicates.');
	});

	test('returns equal rows of one read once', async () => {
		scraped(['a', 1], ['a', 1], ['b', 2], ['a', 1]);
		expect((await getData({ pageSize: 1 })).rows).toHaveLength(2);
	});

	test('with key columns says what is new and what has changed', async () => {
		scraped(['a', 1], ['b', 2]);
		const keyFields = ['Name'];
		expect((await getData({ keyFields })).rows).toEqual([
			{ Name: 'a', Price: 1, _change: 'new' },
			{ Name: 'b', Price: 2, _change: 'new' },
		]);
		scraped(['a', 5], ['b', 2], ['c', 3]);
		expect((await getData({ keyFields })).rows).toEqual([
			{ Name: 'a', Price: 5, _change: 'changed' },
			{ Name: 'c', Price: 3, _change: 'new' },
		]);
	});

	test('a key column may be given by its id, and a column named _change keeps its values', async () => {
		service.addBatch({ fields: [{ id: 'f1', name: '_change' }], rows: ['{"f1":"mine"}'] });
		expect((await getData({ keyFields: ['f1'] })).rows).toEqual([
			{ '_change (2)': 'mine', _change: 'new' },
		]);
	});

	test('a key column may be given by its name when the ids are the keys', async () => {
		scraped(['a', 1]);
		expect((await getData({ keyFields: ['Name'], fieldKeys: 'ids' })).rows).toEqual([
			{ f1: 'a', f2: 1, _change: 'new' },
		]);
	});

	test('key columns may be an array that an expression yields for one entry', async () => {
		scraped(['a', 1]);
		const { rows } = await getData({ keyFields: ['={{ ["Name", "Price"] }}'] });
		expect(rows).toEqual([{ Name: 'a', Price: 1, _change: 'new' }]);
	});

	test('the column _change may be chosen, and is one column of a file', async () => {
		scraped(['a', 1]);
		const options = { keyFields: ['Name'], fields: ['_change', 'Name'] };
		const { items } = await getData(options, { output: 'file' });
		const csv = Buffer.from(items[0].binary?.data.data ?? '', 'base64').toString();
		expect(csv).toBe('_change,Name\r\nnew,a\r\n');
		scraped(['b', 1]);
		expect(Object.keys((await getData(options)).rows[0])).toEqual(['_change', 'Name']);
	});

	test('a key column that the batch lacks is an error, and nothing is remembered', async () => {
		scraped(['a', 1]);
		const { error } = await getData({ keyFields: ['Colour'] });
		expect(error?.message).toBe('Batch 1001 has no column "Colour"');
		expect(error?.description).toContain('Name, Price');
		expect(processed.size).toBe(0);
	});

	test('a column that repeats the API key shows it in no error', async () => {
		service.addBatch({ fields: [{ id: 'f1', name: service.credential.apiKey }] });
		const { error } = await getData({ keyFields: ['Colour'] });
		expect(error?.description).toContain('Key Columns must be columns of the batch: [API key].');
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

	test('asks the store for many rows at once, whatever the limit', async () => {
		const old = Array.from({ length: 3_000 }, (_row, n): [string, number] => [`old ${n}`, n]);
		scraped(...old);
		await getData();
		scraped(['a', 1], ...old, ['b', 2], ['c', 3], ['d', 4]);
		const before = processed.calls;
		const { rows, hints } = await getData({ keyFields: ['Name'] }, { limit: 3 });
		expect(rows.map(({ Name }) => Name)).toEqual(['a', 'b', 'c']);
		expect(processed.calls - before).toBeLessThanOrEqual(5);
		expect(hints[0]).toContain('3 of 3,004 rows (Limit), 3,000 duplicates.');
		expect((await getData({ keyFields: ['Name'] })).rows).toEqual([
			{ Name: 'd', Price: 4, _change: 'new' },
		]);
	});

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

	test('Retry On Fail reads rows again that were taken back', async () => {
		scraped(['a', 1]);
		service.script('batches', refusal(9000002, 'no'), { skip: 1, times: 1 });
		const { rows } = await runOn(
			service,
			{ operation: 'getData', options: history },
			{ input: [{}, {}], settings: retryOnFail },
		);
		expect(rows).toEqual([{ Name: 'a', Price: 1 }]);
		expect((await getData()).rows).toEqual([]);
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
		const recording = jest.spyOn(processed, 'checkProcessedAndRecord');
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
		expect(recording).toHaveBeenCalledTimes(1);
		recording.mockRestore();
		expect((await getData()).rows).toHaveLength(1);
	});

	test('rows are known again under other keys, columns and in files', async () => {
		scraped(['a', 1], ['b', 2]);
		await getData({ fieldKeys: 'ids', fields: ['f1'] });
		scraped(['a', 1], ['c', 3]);
		const { items } = await getData({ keyFields: [] }, { output: 'file' });
		expect(items[0].json.rows).toBe(1);
		const csv = Buffer.from(items[0].binary?.data.data ?? '', 'base64').toString();
		expect(csv).toBe('Name,Price\r\nc,3\r\n');
	});

	test('a run without a history returns all rows', async () => {
		scraped(['a', 1]);
		await getData();
		expect((await getData({ deduplication: 'off' })).rows).toHaveLength(1);
	});
});
