import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { success } from '../../support/scriptedService/scriptedAnswers';
import { asStarted } from '../../support/scriptedService/scriptedStore';
import { useProcessedData } from './processedData';

describe('only new rows', () => {
	useProcessedData();
	const service = useScriptedService(() => ({ taskIDs: ['one', 'other', 'third'] }));

	const fields = [
		{ id: 'f1', name: 'Name' },
		{ id: 'f2', name: 'Price' },
	];

	/** The next batch has these rows, such as `a1`: name and price. */
	const scraped = (...rows: string[]) =>
		service.addBatch({
			fields,
			rows: rows.map((row) => JSON.stringify({ f1: row[0], f2: Number(row.slice(1)) })),
		});

	const getData = async (
		parameters: INodeParameters = {},
		options: INodeParameters = {},
		mode: WorkflowExecuteMode = 'trigger',
	) => {
		const { rows, hints, error } = await runOn(
			service,
			{ operation: 'getData', returnAll: true, onlyNew: true, ...parameters, options },
			{ mode },
		);
		const names = rows.map(({ Name, Price, _change }) =>
			[Name, Price, ...(_change === undefined ? [] : [' ', _change])].map(textOf).join(''),
		);
		return { names, hints, error };
	};

	const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

	const numbered = (from: number, to: number) =>
		Array.from({ length: to - from }, (_row, n) => `a${from + n}`);

	test('come out once, and a note says how many came out before', async () => {
		scraped(...numbered(0, 50));
		expect((await getData()).hints).toEqual(['Batch 1001: 50 new of 50 rows.']);
		scraped(...numbered(0, 72));
		const { names, hints } = await getData({ returnAll: false, limit: 16 });
		expect(names).toEqual(numbered(50, 66));
		expect(hints).toEqual(['Batch 1002: 16 new of 72 rows (Limit), 50 were returned before.']);
		expect((await getData()).names).toEqual(numbered(66, 72));
		expect((await getData()).hints).toEqual([
			'Batch 1002: 0 new of 72 rows, 72 were returned before.',
		]);
	});

	test('are told among all rows of the batch, duplicates and those that came out before', async () => {
		const { rows } = scraped(...numbered(0, 66), ...numbered(0, 6));
		expect((await getData()).hints).toEqual([
			'Batch 1001: 66 new of 72 rows, 6 duplicates within the batch left out.',
		]);
		expect((await getData()).hints).toEqual([
			'Batch 1001: 0 new of 72 rows, 6 duplicates within the batch left out, 66 were returned before.',
		]);
		rows.push(...scraped(...numbered(66, 69)).rows);
		expect((await getData({ batch: 'id', batchId: '1001' })).hints[0]).toContain(
			'Batch 1001: 3 new of 75 rows, 6 duplicates within the batch left out, 66 were returned before.',
		);
		const options = { firstRun: 'remember', memory: 'another' };
		expect((await getData({ batch: 'id', batchId: '1001' }, options)).hints).toEqual([
			'Batch 1001: 0 of 75 rows, 6 duplicates within the batch left out. First execution: 69 are remembered; from now on, only new ones come out.',
		]);
	});

	test.each([
		['beside the limit', { keyFields: ['Name'] }, {}],
		[
			'in the options, as before',
			{ onlyNew: false },
			{ deduplication: 'history', keyFields: ['Name'] },
		],
	])('are known by their key columns: %s', async (_where, parameters, options) => {
		scraped('a1', 'b1');
		expect((await getData(parameters, options)).names).toEqual(['a1 new', 'b1 new']);
		scraped('a2', 'b1', 'c1');
		expect((await getData(parameters, options)).names).toEqual(['a2 changed', 'c1 new']);
	});

	test('are those of Deduplication: Across Executions, whichever of the two is set', async () => {
		scraped('a1', 'b1');
		expect((await getData()).names).toHaveLength(2);
		const former = { deduplication: 'history' };
		expect((await getData({ onlyNew: false }, former)).names).toEqual([]);
		expect((await getData({ onlyNew: false })).names).toHaveLength(2);
	});

	test('do not go together with a memory of the service', async () => {
		const { error } = await getData({}, { deduplication: 'service', deduplicationId: 'x' });
		expect(error?.message).toContain('cannot be combined with deduplication by the service');
		expect(service.requests).toEqual([]);
	});

	test('of a run: Run Task and Get Data', async () => {
		service.script('start', () => success(asStarted(scraped('a1', 'b1'))));
		const parameters = { operation: 'runAndGetData', keyFields: ['Name'] };
		expect((await getData(parameters)).names).toEqual(['a1 new', 'b1 new']);
		expect((await getData(parameters)).names).toEqual([]);
	});

	test('of several items: the note says that nothing is new, not that there was nothing', async () => {
		scraped('a1', 'b1');
		service.addBatch({ taskID: 'other', fields, rows: ['{"f1":"a","f2":1}'] });
		const input = ['one', 'other'].map((task) => ({ task }));
		const parameters = {
			operation: 'getData',
			taskId: '={{ $json.task }}',
			onlyNew: true,
			options: { firstRun: 'remember' },
		};
		const hints = async () => (await runOn(service, parameters, { input })).hints;
		expect(await hints()).toEqual([
			'2 batches: 0 of 3 rows. First execution: 3 are remembered; from now on, only new ones come out.',
		]);
		expect(await hints()).toEqual(['2 batches: 0 new of 3 rows, 3 were returned before.']);
		input.push({ task: 'third' });
		service.addBatch({ taskID: 'third', fields, rows: ['{"f1":"a","f2":1}'] });
		scraped('a1', 'c1');
		expect(await hints()).toEqual([
			'3 batches: 1 new of 4 rows, 2 were returned before. First execution: 1 is remembered; from now on, only new ones come out.',
		]);
		service.addBatch({ taskID: 'third', fields });
		expect(await hints()).toEqual([
			"3 batches: 0 new of 3 rows, 3 were returned before, 1 without rows. To make a batch without rows an error, set the option 'Minimum Rows' to 1.",
		]);
	});

	describe.each([
		['without key columns', {}],
		['with key columns', { keyFields: ['Name', 'Price'] }],
	])('%s', (_keys, parameters) => {
		const isNew = (name: string) => ('keyFields' in parameters ? `${name} new` : name);

		test('may begin with what is there: the first execution remembers all of it', async () => {
			const options = { firstRun: 'remember' };
			scraped('a1', 'b1', 'c1');
			const first = await getData({ ...parameters, returnAll: false, limit: 1 }, options);
			expect(first.names).toEqual([]);
			expect(first.hints).toEqual([
				'Batch 1001: 0 of 3 rows. First execution: 3 are remembered; from now on, only new ones come out.',
			]);
			scraped('a1', 'b1', 'd1');
			expect((await getData(parameters, options)).names).toEqual([isNew('d1')]);
		});

		test('begin with a first run that has found nothing, too', async () => {
			const options = { firstRun: 'remember' };
			scraped();
			expect((await getData(parameters, options)).names).toEqual([]);
			scraped('a1');
			expect((await getData(parameters, options)).names).toEqual([isNew('a1')]);
		});

		test('do not begin anew because the first execution is to remember from now on', async () => {
			scraped('a1');
			expect((await getData(parameters)).names).toEqual([isNew('a1')]);
			scraped('b1');
			const options = { firstRun: 'remember' };
			expect((await getData(parameters, options)).names).toEqual([isNew('b1')]);
		});

		test('begin anew under the name of another memory', async () => {
			scraped('a1');
			expect((await getData(parameters)).names).toEqual([isNew('a1')]);
			for (const memory of ['second', 'third']) {
				expect((await getData(parameters, { memory })).names).toEqual([isNew('a1')]);
				expect((await getData(parameters, { memory })).names).toEqual([]);
			}
			expect((await getData(parameters)).names).toEqual([]);
		});

		test('of two tasks through one node are known for each task by itself', async () => {
			const options = { firstRun: 'remember' };
			scraped('a1');
			expect((await getData(parameters, options)).names).toEqual([]);
			service.addBatch({ taskID: 'other', fields, rows: ['{"f1":"a","f2":1}'] });
			const other = { ...parameters, taskId: 'other' };
			expect((await getData(other, options)).hints[0]).toContain(
				'First execution: 1 is remembered',
			);
			service.addBatch({ taskID: 'other', fields, rows: ['{"f1":"b","f2":1}'] });
			expect((await getData(other)).names).toEqual([isNew('b1')]);
			scraped('a1', 'b1');
			expect((await getData(parameters)).names).toEqual([isNew('b1')]);
		});

		test('that come out by hand are known afterwards, unless that is switched off', async () => {
			const options = { rememberTests: false, firstRun: 'remember' };
			scraped('a1', 'b1');
			for (const tries of [1, 2]) {
				const { names, hints } = await getData(parameters, options, 'manual');
				expect([tries, ...names]).toEqual([tries, isNew('a1'), isNew('b1')]);
				expect(hints).toContain("Nothing was remembered: 'Remember Tests' is off.");
			}
			expect((await getData(parameters, options)).names).toEqual([]);
			scraped('a1', 'b1', 'c1');
			expect((await getData(parameters, options, 'manual')).names).toEqual([isNew('c1')]);
			expect((await getData(parameters, {}, 'manual')).names).toEqual([isNew('c1')]);
			expect((await getData(parameters, options)).names).toEqual([]);
		});

		test('of a first execution that fails are those of the next one', async () => {
			scraped('a1', 'b1');
			const options = { firstRun: 'remember' };
			const input = [{ task: service.taskID }, { task: 'lost' }];
			const { error } = await runOn(
				service,
				{
					operation: 'getData',
					taskId: '={{ $json.task }}',
					onlyNew: true,
					...parameters,
					options,
				},
				{ input },
			);
			expect(error).toBeDefined();
			expect((await getData(parameters, options)).hints[0]).toContain('First execution: 2 are');
		});
	});
});
