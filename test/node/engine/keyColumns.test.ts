import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { useProcessedData } from './processedData';
import { readsWithHistory } from './readsWithHistory';

describe('deduplication across executions with key columns', () => {
	const processed = useProcessedData();
	const service = useScriptedService();

	const { history, fields, scraped, getData } = readsWithHistory(service);

	/** Reads the batch that each input item names. */
	const batchOfItem: INodeParameters = {
		operation: 'getData',
		batch: 'id',
		batchId: '={{ $json.id }}',
		returnAll: true,
		onlyNew: true,
		keyFields: ['Name'],
	};

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

	test('key columns are the same in another order, and given twice', async () => {
		scraped(['a', 1]);
		expect((await getData({ keyFields: ['Name', 'Price'] })).rows).toHaveLength(1);
		expect((await getData({ keyFields: ['Price', 'Name', 'f2'] })).rows).toEqual([]);
	});

	test('rows of one new key in one read are all new', async () => {
		scraped(['a', 1], ['a', 2]);
		const { rows } = await getData({ keyFields: ['Name'] });
		expect(rows.map(({ _change }) => _change)).toEqual(['new', 'new']);
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

	describe('where the batch names no columns and its rows have names', () => {
		const named = (...rows: object[]) => {
			const batch = service.addBatch({ rows: rows.map((row) => JSON.stringify(row)) });
			Object.assign(batch, { fields: null });
		};

		test('what identifies a row is one of those', async () => {
			const keyFields = ['Name'];
			named({ Name: 'a', Price: 1 }, { Name: 'b', Price: 1 });
			expect((await getData({ keyFields })).rows).toHaveLength(2);
			named({ Name: 'a', Price: 2 }, { Name: 'b', Price: 1 });
			expect((await getData({ keyFields })).rows).toEqual([
				{ Name: 'a', Price: 2, _change: 'changed' },
			]);
		});

		test.each([[['Colour']], [['Name', 'Colour']]])(
			'one that no row has is an error, and nothing is remembered: %j',
			async (keyFields) => {
				named({ Name: 'a', Price: 1 });
				const { error, items } = await getData({ keyFields });
				expect(error?.message).toBe('Batch 1001 has no column "Colour"');
				expect(error?.description).toContain(
					'Key Columns must be columns of the batch: Name, Price.',
				);
				expect(items).toEqual([]);
				expect(processed.size).toBe(0);
			},
		);

		test('a key that the node gives another name identifies rows, too', async () => {
			const keyFields = ['_change'];
			named({ _change: 1 }, { _change: 2 });
			expect((await getData({ keyFields })).rows).toHaveLength(2);
			named({ _change: 3 });
			expect((await getData({ keyFields: ['_change (2)'] })).error?.message).toBe(
				'Batch 1002 has no column "_change (2)"',
			);
		});
	});

	test('rows that have nothing of what the batch names are an error, and not one row', async () => {
		service.addBatch({ fields, rows: ['{"Title":"a"}', '{"Title":"b"}'] });
		const { error } = await getData({ keyFields: ['Name'] });
		expect(error?.message).toBe('No row of batch 1001 has column "Name"');
		expect(processed.size).toBe(0);
	});

	test('a column that repeats the API key shows it in no error', async () => {
		const fields = [{ id: 'f1', name: service.credential.apiKey }];
		service.addBatch({ fields, rows: ['{"f1":1}'] });
		const { error } = await getData({ keyFields: ['Colour'] });
		expect(error?.description).toContain('Key Columns must be columns of the batch: [API key].');
	});

	test('rows of other keys come out, also where all that is returned of them is equal', async () => {
		scraped(['a', 1], ['b', 1]);
		const options = { keyFields: ['Name'], fields: ['Price'] };
		expect((await getData(options)).rows).toEqual([
			{ Price: 1, _change: 'new' },
			{ Price: 1, _change: 'new' },
		]);
	});

	test('with key columns, values that come back come out each time', async () => {
		const keyFields = ['Name'];
		const changes: unknown[] = [];
		for (const price of [100, 80, 80, 100, 80, 100]) {
			scraped(['a', price], ['b', 1]);
			changes.push(
				(await getData({ keyFields })).rows.map(({ Price, _change }) => [Price, _change]),
			);
		}
		expect(changes).toEqual([
			[
				[100, 'new'],
				[1, 'new'],
			],
			[[80, 'changed']],
			[],
			[[100, 'changed']],
			[[80, 'changed']],
			[[100, 'changed']],
		]);
	});

	test('an older batch brings out no earlier values, in whatever order batches are read', async () => {
		scraped(['a', 100], ['b', 1]);
		scraped(['a', 110]);
		scraped(['a', 120]);
		const input = [1003, 1002, 1001].map((id) => ({ id: String(id) }));
		const first = await runOn(service, batchOfItem, { input });
		expect(first.rows).toEqual([
			{ Name: 'a', Price: 120, _change: 'new' },
			{ Name: 'b', Price: 1, _change: 'new' },
		]);
		expect(first.hints).toEqual(['3 batches: 2 new of 4 rows, 2 are superseded by a newer batch.']);
		const second = await runOn(service, batchOfItem, { input });
		expect(second.rows).toEqual([]);
		scraped(['a', 110]);
		const [newest] = (await getData({ keyFields: ['Name'] })).rows;
		expect(newest).toEqual({ Name: 'a', Price: 110, _change: 'changed' });
	});

	test('batches of other rows are not older versions, in whatever order they are read', async () => {
		for (const day of [1, 2, 3]) {
			for (const name of ['a', 'b', 'c']) scraped([name, day]);
			const input = [3, 2, 1].map((n) => ({ id: String(997 + 3 * day + n) }));
			const { rows, hints } = await runOn(service, batchOfItem, { input });
			const _change = day === 1 ? 'new' : 'changed';
			expect(rows).toEqual(['c', 'b', 'a'].map((Name) => ({ Name, Price: day, _change })));
			expect(hints).toEqual([
				day === 1 ? '3 batches: 3 new of 3 rows.' : '3 batches: 0 new, 3 changed of 3 rows.',
			]);
		}
	});

	test('batches whose times the service does not tell count in the order of reading', async () => {
		const keyFields = ['Name'];
		for (const price of [1, 2]) {
			Object.assign(scraped(['a', price]), { createTime: null, startTime: 0 });
		}
		await getData({ keyFields });
		const older = await getData({ keyFields }, { batch: 'id', batchId: '1001' });
		expect(older.rows).toEqual([{ Name: 'a', Price: 1, _change: 'changed' }]);
	});

	test('the note tells new rows from changed ones', async () => {
		const keyFields = ['Name'];
		scraped(['a', 1], ['b', 1]);
		await getData({ keyFields });
		scraped(['a', 2], ['b', 2]);
		expect((await getData({ keyFields })).hints).toEqual([
			'Batch 1002: 0 new, 2 changed of 2 rows.',
		]);
		scraped(['a', 2], ['b', 3], ['c', 1]);
		expect((await getData({ keyFields })).hints).toEqual([
			'Batch 1003: 1 new, 1 changed of 3 rows, 1 was returned before.',
		]);
	});

	test('several in one field are those, unless a column is called so', async () => {
		scraped(['a', 1]);
		const keyFields = ['Name, Price'];
		const options = { keyFields, fields: ['Price\n Name,'] };
		expect((await getData(options)).rows).toEqual([{ Price: 1, Name: 'a', _change: 'new' }]);
		expect(
			(await getData({ keyFields: ['Price', 'Name'], fields: ['Name', 'Price'] })).rows,
		).toEqual([]);
		service.addBatch({
			fields: [...fields, { id: 'f3', name: 'Name, Price' }],
			rows: ['{"f1":"a","f2":1,"f3":2}'],
		});
		expect((await getData({ fields: keyFields })).rows).toEqual([{ 'Name, Price': 2 }]);
		const { error } = await getData({ keyFields: ['Name, Colour'] });
		expect(error?.message).toBe('Batch 1002 has no column "Name, Colour"');
		expect(error?.description).toContain('Enter one column per field of Key Columns.');
	});

	test('with key columns, what did not come out comes out next', async () => {
		const keyFields = ['Name'];
		scraped(['a', 1], ['b', 1], ['c', 1]);
		expect((await getData({ keyFields }, { limit: 2 })).rows).toHaveLength(2);
		scraped(['a', 2], ['b', 2], ['c', 2]);
		const parameters = { operation: 'getData', taskId: '={{ $json.task }}', returnAll: true };
		const input = [{ task: service.taskID }, { task: 'lost' }];
		const options = { ...history, keyFields };
		expect((await runOn(service, { ...parameters, options }, { input })).error).toBeDefined();
		expect((await getData({ keyFields })).rows).toEqual([
			{ Name: 'a', Price: 2, _change: 'changed' },
			{ Name: 'b', Price: 2, _change: 'changed' },
			{ Name: 'c', Price: 2, _change: 'new' },
		]);
		expect((await getData({ keyFields })).rows).toEqual([]);
	});

	test('two executions at the same time return each row once', async () => {
		scraped(['a', 1], ['b', 1]);
		const options = { ...history, keyFields: ['Name'] };
		const parameters = { operation: 'getData', options };
		const input = [{}, {}, {}, {}, {}];
		const [one, other] = await Promise.all([
			runOn(service, parameters, { input }),
			runOn(service, parameters, { input }),
		]);
		expect([...one.rows, ...other.rows]).toHaveLength(2);
	});
});
