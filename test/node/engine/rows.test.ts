import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';

describe('rows', () => {
	const service = useScriptedService();

	const getData = async (options: INodeParameters = {}) =>
		await runOn(service, { operation: 'getData', returnAll: true, options });

	const fields = (...names: Array<string | null>) =>
		names.map((name, index) => ({ id: `f${index + 1}`, name }));

	test('values pass through unchanged, whatever they are', async () => {
		const values = {
			text: ' "quoted", <b>\n\u0000 日本 ',
			number: -1.5,
			yes: true,
			none: null,
			list: [1, ['2']],
			object: { a: { json: 1 } },
		};
		service.addBatch({ rows: [JSON.stringify(values)] });
		expect((await getData()).rows).toEqual([values]);
	});

	test('integers beyond 2^53 keep their digits, as text', async () => {
		service.addBatch({ rows: ['{"id":9007199254740993,"text":"12345678901234567890","n":1}'] });
		expect((await getData()).rows).toEqual([
			{ id: '9007199254740993', text: '12345678901234567890', n: 1 },
		]);
	});

	test('keys follow the columns of the batch; a missing field is a missing key', async () => {
		service.addBatch({
			fields: fields('Name', 'Price', 'Stock'),
			rows: ['{"f3":5,"extra":1,"f1":"a"}', '{"f2":"2"}'],
		});
		const { rows } = await getData();
		expect(rows.map((row) => Object.entries(row))).toEqual([
			[
				['Name', 'a'],
				['Stock', 5],
				['extra', 1],
			],
			[['Price', '2']],
		]);
	});

	test('equal column names get numbers, an empty one its id', async () => {
		service.addBatch({
			fields: fields('Name', 'Name', '', null, 'Name (2)', 'Name'),
			rows: ['{"f1":1,"f2":2,"f3":3,"f4":4,"f5":5,"f6":6}'],
		});
		const { rows } = await getData();
		expect(rows).toEqual([{ Name: 1, 'Name (3)': 2, f3: 3, f4: 4, 'Name (2)': 5, 'Name (4)': 6 }]);
	});

	test('dangerous column names are ordinary columns', async () => {
		service.addBatch({
			fields: fields('__proto__', 'constructor', 'json', 'binary', 'pairedItem', 'toString'),
			rows: ['{"f1":"p","f2":"c","f3":{"x":1},"f4":"b","f5":7,"f6":"t"}'],
		});
		const { rows } = await getData();
		expect(Object.entries(rows[0])).toEqual([
			['__proto__', 'p'],
			['constructor', 'c'],
			['json', { x: 1 }],
			['binary', 'b'],
			['pairedItem', 7],
			['toString', 't'],
		]);
		expect(Object.getPrototypeOf(rows[0])).toBe(Object.prototype);
	});

	test('a key "__proto__" of a row pollutes nothing', async () => {
		service.addBatch({ rows: ['{"__proto__":{"polluted":true},"a":1}'] });
		const { rows } = await getData();
		expect(Object.keys(rows[0])).toEqual(['__proto__', 'a']);
		expect('polluted' in {}).toBe(false);
	});

	test('a column of the name of an added key gets a number', async () => {
		service.addBatch({ batchID: 5, fields: fields('_batchId'), rows: ['{"f1":"mine"}'] });
		const { rows } = await getData({ includeBatch: true });
		expect(rows).toEqual([{ '_batchId (2)': 'mine', _batchId: 5, _taskId: service.taskID }]);
	});

	test('columns are chosen by name or id, also those that only rows have', async () => {
		service.addBatch({ fields: fields('Name', 'Price'), rows: ['{"f1":"a","f2":1,"x":2}'] });
		const { rows } = await getData({ fields: ['x', 'f2', 'Name'] });
		expect(Object.entries(rows[0])).toEqual([
			['x', 2],
			['Price', 1],
			['Name', 'a'],
		]);
	});

	test('columns are chosen by name or id when the ids are the keys, too', async () => {
		service.addBatch({ fields: fields('Name', 'Price'), rows: ['{"f1":"a","f2":1}'] });
		const { rows, hints } = await getData({ fieldKeys: 'ids', fields: ['Price', 'f1'] });
		expect(Object.entries(rows[0])).toEqual([
			['f2', 1],
			['f1', 'a'],
		]);
		expect(hints.filter((hint) => hint.includes('no column'))).toEqual([]);
	});

	test.each<[string, INodeParameters, string[]]>([
		['an array for one entry', { fields: ['={{ ["Price", "Name"] }}'] }, ['Price', 'Name']],
		['an array for the list', { fields: '={{ ["Price", "Name"] }}' }, ['Price', 'Name']],
		['a text for the list', { fields: '={{ "Price, Name" }}' }, ['Price', 'Name']],
		['an empty entry', { fields: ['', 'Price'] }, ['Price']],
		['an empty list', { fields: [] }, ['Name', 'Price']],
	])('columns may be %s', async (_kind, options, columns) => {
		service.addBatch({ fields: fields('Name', 'Price'), rows: ['{"f1":"a","f2":1}'] });
		expect(Object.keys((await getData(options)).rows[0])).toEqual(columns);
	});

	test('an added key that is chosen stands where it is asked for, and is no unknown column', async () => {
		service.addBatch({ batchID: 5, fields: fields('Name', 'Price'), rows: ['{"f1":"a","f2":1}'] });
		const options = { includeBatch: true, fields: ['_batchId', 'Price'] };
		const { rows } = await getData(options);
		expect(Object.entries(rows[0])).toEqual([
			['_batchId', 5],
			['Price', 1],
			['_taskId', service.taskID],
		]);
		service.addBatch({ fields: fields('Name', 'Price') });
		const { hints } = await getData(options);
		expect(hints.filter((hint) => hint.includes('no column'))).toEqual([]);
	});

	test.each([
		['no JSON', 'oops, <html>', 'oops, ‹html›'],
		['an array', '[1]', '[1]'],
		['a text', '"a"', '"a"'],
		['null in a text', 'null', 'null'],
		['null', null, 'null'],
		['a number', 7, '7'],
	])('a row that is %s is an error that names its place', async (_kind, row, shown) => {
		const rows: unknown[] = Array.from({ length: 12 }, () => '{"a":1}');
		rows[9] = row;
		service.addBatch({ batchID: 77, rows });
		const { error, rows: returned } = await getData({ pageSize: 4 });
		expect(error?.message).toBe(`Row 2 on page 3 of batch 77 is not a JSON object: ${shown}`);
		expect(returned).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['as items', {}],
		['in a file', { output: 'file' }],
		['without duplicates', { options: { deduplication: 'read' } }],
	])('a row that is nested too deep is an error that names its place (%s)', async (_kind, more) => {
		const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
		service.addBatch({ batchID: 77, rows: ['{"a":1}', deep] });
		const { error } = await runOn(service, { operation: 'getData', ...more });
		expect(error?.message).toBe('Row 2 on page 1 of batch 77 is nested more than 1000 levels deep');
	});

	test('a row that is no JSON is an error of its item only', async () => {
		service.addBatch({ rows: ['oops'] });
		const { rows } = await runOn(
			service,
			{ operation: 'getData' },
			{ settings: { onError: 'continueRegularOutput' } },
		);
		expect(rows).toHaveLength(1);
		expect(rows[0].error).toBe('Row 1 on page 1 of batch 1001 is not a JSON object: oops');
		expect(rows[0].description).toContain('a row would be missing');
	});

	test('a batch without rows gives no item, and a hint', async () => {
		service.addBatch();
		const { rows, hints } = await getData();
		expect(rows).toEqual([]);
		expect(hints).toEqual([
			expect.stringContaining("look at the batch's page in the service's web console"),
		]);
	});

	test('120,000 rows become items', async () => {
		const rows = Array.from({ length: 120_000 }, (_row, n) => `{"n":${n}}`);
		service.addBatch({ rows });
		const { items } = await getData({ pageSize: 10_000 });
		expect(items).toHaveLength(120_000);
		expect(items.every(({ json }, n) => json.n === n)).toBe(true);
	});

	test('a preview is asked for, and only then', async () => {
		service.addBatch({ rows: [JSON.stringify({ a: 'x'.repeat(50) })] });
		expect((await getData({ preview: true })).rows).toEqual([{ a: 'x'.repeat(20) }]);
		expect((await getData()).rows).toEqual([{ a: 'x'.repeat(50) }]);
		expect(service.sentTo('data').map(({ query }) => query.preview)).toEqual(['true', 'false']);
	});
});
