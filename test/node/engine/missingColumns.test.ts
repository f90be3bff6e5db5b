import type { INodeParameters } from 'n8n-workflow';

import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';
import { useProcessedData } from './processedData';

describe('a column that was asked for and that the batch does not have', () => {
	const processed = useProcessedData();
	const service = useScriptedService();

	const fields = (...names: string[]) =>
		names.map((name, index) => ({ id: `f${index + 1}`, name }));

	/** The next batch has these columns and rows. */
	const scraped = (names: string[], ...rows: unknown[][]) =>
		service.addBatch({
			fields: fields(...names),
			rows: rows.map((row) =>
				JSON.stringify(Object.fromEntries(row.map((value, n) => [`f${n + 1}`, value]))),
			),
		});

	const getData = async (options: INodeParameters, parameters: INodeParameters = {}) =>
		await runOn(service, { operation: 'getData', returnAll: true, ...parameters, options });

	const message = 'Batch 1001 has no column "B"';
	const advice =
		'Columns to Return must be columns of the batch: A, Cost. If a column was renamed, enter its new name, or its field ID. If the task has new field IDs since it was edited, enter names.';

	test.each<[string, INodeParameters]>([
		['items', {}],
		['the first items', { returnAll: false, limit: 1 }],
		['a file', { output: 'file' }],
		['a file of lines', { output: 'file', fileFormat: 'jsonl' }],
	])('is an error that says what there is, not %s without it', async (_what, parameters) => {
		scraped(['A', 'Cost'], [1, 10], [2, 20]);
		const { error, items } = await getData({ fields: ['A', 'B'] }, parameters);
		expect(error?.message).toBe(message);
		expect(error?.description).toBe(advice);
		expect(items).toEqual([]);
	});

	test('is guessed where only its spelling differs', async () => {
		scraped(['Unit Price', 'Name'], [1, 'a']);
		const { error } = await getData({ fields: ['unit_price', 'Colour'] });
		expect(error?.message).toBe(
			'Batch 1001 has no column "unit_price", "Colour". Did you mean "Unit Price"?',
		);
	});

	test('is shown with signs that n8n does not take for markup, in errors and notes', async () => {
		scraped(['Price <EUR>'], [1]);
		const { error } = await getData({ fields: ['Price <eur>'] });
		expect(error?.message).toBe(
			'Batch 1001 has no column "Price ‹eur›". Did you mean "Price ‹EUR›"?',
		);
		expect(error?.description).toContain('columns of the batch: Price ‹EUR›.');
		scraped(['Price <EUR>']);
		const { hints } = await getData({ fields: ['Price <eur>'] });
		expect(hints.join()).toContain('has no column "Price ‹eur›"');
	});

	test('several are named at once', async () => {
		scraped(['A'], [1]);
		const { error } = await getData({ fields: ['B', 'A', 'C'] });
		expect(error?.message).toBe('Batch 1001 has no column "B", "C"');
	});

	test.each([[[]], [['A']]])(
		'hides no change of what was renamed (key columns %j)',
		async (keys) => {
			const read = async (column: string) =>
				await getData({ fields: ['A', column] }, { onlyNew: true, keyFields: keys });
			scraped(['A', 'B'], [1, 10]);
			expect((await read('B')).rows).toMatchObject([{ A: 1, B: 10 }]);
			for (const price of [20, 30]) {
				scraped(['A', 'Cost'], [1, price]);
				expect((await read('B')).error?.message).toContain('has no column "B"');
			}
			expect((await read('Cost')).rows).toMatchObject([{ A: 1, Cost: 30 }]);
			scraped(['A', 'Cost'], [1, 40]);
			expect((await read('Cost')).rows).toMatchObject([{ A: 1, Cost: 40 }]);
		},
	);

	test.each<[string, INodeParameters]>([
		['Columns to Return', { options: { fields: ['A', 'B'] } }],
		['Key Columns', { onlyNew: true, keyFields: ['B'] }],
	])(
		'after a run that was paid for names its batch, and how to get its rows (%s)',
		async (setting, wanted) => {
			scraped(['A', 'Cost'], [0, 0]);
			service.script('batches', () => {
				Object.assign(service.batches[1], { status: 3, rows: ['{"f1":1,"f2":2}'], lineCount: 1 });
				return undefined;
			});
			const { error } = await runOn(service, {
				operation: 'runAndGetData',
				...wanted,
			});
			expect(error?.message).toBe('Batch 1002 has no column "B"');
			expect(error?.description).toContain(
				'Batch 1002 has ended and is paid for: get its rows with Get Data (Batch: Specific Batch, By ID: 1002) instead of starting the task again.',
			);
			expect(error?.description).toContain(`${setting} must be columns of the batch: A, Cost.`);
			const options = { fields: ['A', 'Cost'] };
			const as = { batch: 'id', batchId: { __rl: true, mode: 'id', value: '1002' } };
			expect((await getData(options, as)).rows).toEqual([{ A: 1, Cost: 2 }]);
			expect(service.sentTo('start')).toHaveLength(1);
		},
	);

	test.each<[string, Parameters<ScriptedService['addBatch']>[0]]>([
		['a batch without rows', { fields: fields('A'), rows: [] }],
		['a batch that lists no columns yet', { status: 2, endTime: 0, rows: [] }],
		['rows without any value', { fields: fields('A', 'B'), rows: ['{}', '{}'] }],
	])('is none in %s', async (_which, batch) => {
		service.addBatch(batch);
		for (const deduplication of ['off', 'read', 'history', 'service']) {
			const { error } = await getData(
				{ fields: ['A', 'B'], deduplication, deduplicationId: 'x' },
				{ batch: 'id', batchId: { __rl: true, mode: 'id', value: '1001' } },
			);
			expect(error).toBeUndefined();
		}
	});

	test('is none where only a later row has it', async () => {
		const rows = ['{"f1":1}', '{"f1":2}', '{"f1":3,"B":4}'];
		service.addBatch({ fields: fields('A'), rows });
		const { rows: read } = await getData({ fields: ['B', 'A'], pageSize: 1 });
		expect(read).toEqual([{ A: 1 }, { A: 2 }, { B: 4, A: 3 }]);
	});

	const byService = { deduplication: 'service', deduplicationId: 'watch' };

	test('costs no rows where the service sends each only once', async () => {
		scraped(['A', 'Cost'], [1, 10], [2, 20]);
		const { error } = await getData({ ...byService, fields: ['A', 'B'] });
		expect(error?.message).toBe(message);
		expect(error?.description).toBe(advice);
		for (const { query } of service.sentTo('data')) expect(query.deduplicationID).toBeUndefined();
		expect((await getData({ ...byService, fields: ['A', 'Cost'] })).rows).toHaveLength(2);
	});

	test('is looked for as far as needed where the service sends each row only once', async () => {
		const rows = ['{"f1":1}', '{"f1":2}', '{"f1":3,"B":4}', '{"f1":5}'];
		service.addBatch({ fields: fields('A'), rows });
		const { rows: read } = await getData({ ...byService, fields: ['B', 'A'], pageSize: 1 });
		expect(read).toEqual([{ A: 1 }, { A: 2 }, { B: 4, A: 3 }, { A: 5 }]);
		const pages = service
			.sentTo('data')
			.flatMap(({ query }) => query.deduplicationID ?? query.page);
		expect(pages.slice(0, 4)).toEqual(['1', '2', '3', 'watch']);
	});

	/** How rows are read, of which none may come out as an empty one. */
	const ways: Array<[string, INodeParameters, INodeParameters]> = [
		['items', {}, {}],
		['the first items', {}, { returnAll: false, limit: 1 }],
		['items without duplicates', { deduplication: 'read' }, {}],
		['items that the service sends once', byService, {}],
		['new items', {}, { onlyNew: true }],
		['a file', {}, { output: 'file' }],
		['a file of new lines', {}, { output: 'file', fileFormat: 'jsonl', onlyNew: true }],
	];

	describe.each([
		['null', null],
		['an empty list', []],
		['absent', undefined],
		['of another form', ['Name', { name: 'Name' }]],
	])('where the list of columns is %s', (_how, list) => {
		test.each(ways)('is an error, not %s', async (_what, options, parameters) => {
			const batch = service.addBatch({ rows: ['{"f1":"a","f2":1}', '{"f1":"b","f2":2}'] });
			Object.assign(batch, { fields: list });
			const read = async (...columns: string[]) =>
				await getData({ ...options, fields: columns }, parameters);
			for (const [asked, missing] of [
				[['Name'], '"Name"'],
				[['f1', 'Price'], '"Price"'],
			] as const) {
				const { error, items } = await read(...asked);
				expect(error?.message).toBe(`Batch 1001 has no column ${missing}`);
				expect(error?.description).toContain('columns of the batch: f1, f2.');
				expect(items).toEqual([]);
			}
			expect(processed.size).toBe(0);
			// Nothing is known, and nothing was sent: all of it is still to come.
			const { error, items } = await read('f2');
			expect(error).toBeUndefined();
			const isFile = parameters.output === 'file';
			const count = isFile ? items[0].json.rows : items.length;
			expect(count).toBe(parameters.limit ?? 2);
		});
	});

	test.each(ways)('is an error where no row has what its batch names, not %s', async (...way) => {
		const [, options, parameters] = way;
		service.addBatch({ fields: fields('A', 'B'), rows: ['{"x":1,"y":2}', '{"x":3}'] });
		const { error, items } = await getData({ ...options, fields: ['A', 'B'] }, parameters);
		expect(error?.message).toBe('No row of batch 1001 has column "A", "B"');
		expect(error?.description).toContain('Columns to Return must be columns of the batch: x');
		expect(items).toEqual([]);
		expect(processed.size).toBe(0);
	});

	test('is none where some row has one of those that the batch names', async () => {
		service.addBatch({ fields: fields('A', 'B'), rows: ['{"x":1}', '{"x":2,"f2":3}'] });
		const { rows } = await getData({ fields: ['A', 'B'] });
		expect(rows).toEqual([{}, { B: 3 }]);
	});

	describe('is none where the batch names it and rows leave out what has no value', () => {
		test.each(ways)('today: %s', async (_what, options, parameters) => {
			service.addBatch({ fields: fields('A', 'Old price'), rows: ['{"f1":1}', '{"f1":2}'] });
			const columns = { ...options, fields: ['Old price'] };
			const { error, items } = await getData(columns, parameters);
			expect(error).toBeUndefined();
			expect(items).not.toEqual([]);
		});

		test('before the rows that are read', async () => {
			const rows = Array.from({ length: 61 }, (_row, n) => JSON.stringify({ f1: n }));
			service.addBatch({ fields: fields('A', 'B'), rows: [...rows, '{"f1":61,"f2":1}'] });
			const first = await getData({ fields: ['B'] }, { returnAll: false, limit: 50 });
			expect(first.error).toBeUndefined();
			expect(first.rows).toHaveLength(50);
			expect((await getData({ fields: ['B'] })).rows.at(-1)).toEqual({ B: 1 });
		});

		test('after a run that was paid for', async () => {
			scraped(['A', 'B'], [0, 0]);
			service.script('batches', () => {
				Object.assign(service.batches[1], { status: 3, rows: ['{"f1":1}'], lineCount: 1 });
				return undefined;
			});
			const { error, rows } = await runOn(service, {
				operation: 'runAndGetData',
				options: { fields: ['B'] },
			});
			expect(error).toBeUndefined();
			expect(rows).toEqual([{}]);
		});
	});

	test('says that there is none to choose where nothing names columns', async () => {
		service.addBatch({ rows: ['{}'] });
		const { error } = await getData({}, { onlyNew: true, keyFields: ['Name'] });
		expect(error?.message).toBe('Batch 1001 has no column "Name"');
		expect(error?.description).toContain('but the batch names no columns.');
	});

	test.each<[string, INodeParameters]>([
		['', {}],
		[' where the service deduplicates', byService],
	])('lets the trigger wait, and fire the rows when it is there%s', async (_how, options) => {
		const trigger = new ActiveTrigger(
			{ taskId: service.taskID, output: 'rows', options: { ...options, fields: ['A', 'B'] } },
			service.credential,
		);
		expect(await trigger.poll()).toBeNull();
		const batch = scraped(['A', 'Cost'], [1, 10]);
		for (let n = 0; n < 4; n++) expect(await trigger.poll()).toBeNull();
		batch.fields = fields('A', 'B');
		expect((await trigger.poll())?.map(({ json }) => json)).toEqual([{ A: 1, B: 10 }]);
	});

	test.each<[string, INodeParameters]>([
		['', {}],
		[' where the service deduplicates', byService],
	])('comes out of the trigger where the batch names no columns%s', async (_how, options) => {
		const trigger = new ActiveTrigger(
			{ taskId: service.taskID, output: 'rows', options: { ...options, fields: ['Name'] } },
			service.credential,
		);
		expect(await trigger.poll()).toBeNull();
		const batch = service.addBatch({ rows: ['{"f1":1}'] });
		Object.assign(batch, { fields: null });
		for (let n = 0; n < 4; n++) expect(await trigger.poll()).toBeNull();
		expect((await trigger.poll())?.map(({ json }) => json.error)).toEqual([
			'Batch 1001 has no column "Name"',
		]);
	});

	test.each<[string, INodeParameters]>([
		['', {}],
		[' where the service deduplicates', byService],
	])('comes out of the trigger as an error after five polls%s', async (_how, options) => {
		const trigger = new ActiveTrigger(
			{ taskId: service.taskID, output: 'rows', options: { ...options, fields: ['A', 'B'] } },
			service.credential,
		);
		expect(await trigger.poll()).toBeNull();
		scraped(['A', 'Cost'], [1, 10]);
		for (let n = 0; n < 4; n++) expect(await trigger.poll()).toBeNull();
		const items = await trigger.poll();
		expect(items?.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				batchID: 1001,
				error: message,
				description: `${advice}\nThe trigger does not read batch 1001 again: read it by its ID, with Get Data of the Cloud Scraping node.`,
			}),
		]);
		expect(await trigger.poll()).toBeNull();
	});
});
