import { parse } from 'csv-parse/sync';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal } from '../../support/scriptedService/scriptedAnswers';
import { useProcessedData } from './processedData';

describe('rows as files', () => {
	useProcessedData();
	const service = useScriptedService();

	const getFiles = async (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
		await runOn(service, {
			operation: 'getData',
			returnAll: true,
			output: 'file',
			...parameters,
			options,
		});

	const textOf = ({ binary }: INodeExecutionData, field = 'data') =>
		Buffer.from(binary?.[field].data ?? '', 'base64').toString('utf8');

	const table = (item: INodeExecutionData): unknown => parse(textOf(item));

	const numbered = (count: number) => Array.from({ length: count }, (_row, n) => `{"n":${n}}`);

	const fields = [
		{ id: 'f1', name: 'Name' },
		{ id: 'f2', name: 'Price' },
	];

	test('all rows come, unless a limit was chosen', async () => {
		service.addBatch({ rows: numbered(60) });
		const read = async (parameters: INodeParameters) => {
			const { items } = await runOn(service, { operation: 'getData', ...parameters });
			return [items.length, items[0].json.rows];
		};
		expect(await read({ output: 'file' })).toEqual([1, 60]);
		expect(await read({ output: 'file', returnAll: false })).toEqual([1, 50]);
		expect(await read({ output: '={{ "file" }}', returnAll: true })).toEqual([1, 60]);
		expect(await read({})).toEqual([50, undefined]);
	});

	test('one CSV file holds all rows, with what it is beside it', async () => {
		service.addBatch({ fields, rows: ['{"f1":"Ä, \\"x\\"","f2":1}', '{"f2":{"a":["日本\\n"]}}'] });
		const { items } = await getFiles();
		expect(items).toHaveLength(1);
		const [{ json, binary, pairedItem }] = items;
		expect(table(items[0])).toEqual([
			['Name', 'Price'],
			['Ä, "x"', '1'],
			['', '{"a":["日本\\n"]}'],
		]);
		expect(json).toEqual({
			batchID: 1001,
			taskID: service.taskID,
			statusName: 'successful',
			rows: 2,
			part: 1,
			parts: 1,
			fileName: 'batch-1001.csv',
			mimeType: 'text/csv',
			bytes: Buffer.byteLength(textOf(items[0])),
		});
		expect(binary?.data).toMatchObject({
			fileName: 'batch-1001.csv',
			fileExtension: 'csv',
			mimeType: 'text/csv',
		});
		expect(pairedItem).toEqual({ item: 0 });
	});

	test('a CSV file for Excel begins with a byte order mark, and no cell is a formula', async () => {
		service.addBatch({ fields, rows: ['{"f1":"=HYPERLINK(1)","f2":-1}', '{"f1":"-5","f2":"ä"}'] });
		const { items } = await getFiles({}, { csvForExcel: true, rowsPerFile: 1 });
		expect(items.map((item) => textOf(item))).toEqual([
			"\uFEFFName,Price\r\n'=HYPERLINK(1),-1\r\n",
			'\uFEFFName,Price\r\n-5,ä\r\n',
		]);
		expect(items[0].json.bytes).toBe(Buffer.byteLength(textOf(items[0])));
		const { items: jsonl } = await getFiles({ fileFormat: 'jsonl' }, { csvForExcel: true });
		expect(textOf(jsonl[0])).toBe(
			'{"Name":"=HYPERLINK(1)","Price":-1}\n{"Name":"-5","Price":"ä"}\n',
		);
	});

	test('a JSONL file has an object a line, with the keys of items', async () => {
		service.addBatch({ fields, rows: ['{"f1":"a\\nb","f2":[1]}', '{"f1":null}'] });
		const { items } = await getFiles({ fileFormat: 'jsonl' });
		const lines = textOf(items[0]).trimEnd().split('\n');
		expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
			{ Name: 'a\nb', Price: [1] },
			{ Name: null },
		]);
		expect(items[0].json).toMatchObject({ rows: 2, fileName: 'batch-1001.jsonl' });
	});

	test('a batch without rows is a file of the header alone', async () => {
		service.addBatch({ fields });
		const { items } = await getFiles();
		expect(textOf(items[0])).toBe('Name,Price\r\n');
		expect(items[0].json).toMatchObject({ rows: 0, part: 1, parts: 1 });
		const { items: jsonl } = await getFiles({ fileFormat: 'jsonl' });
		expect(jsonl).toHaveLength(1);
		expect(textOf(jsonl[0])).toBe('');
	});

	test('where only new rows are wanted and none are new, there is no file', async () => {
		service.addBatch({ fields, rows: ['{"f1":"a","f2":1}'] });
		expect((await getFiles({ onlyNew: true })).items).toHaveLength(1);
		expect((await getFiles({ onlyNew: true })).items).toEqual([]);
	});

	test('more rows than fit go into numbered files', async () => {
		service.addBatch({ rows: numbered(25) });
		const { items } = await getFiles({}, { rowsPerFile: 10, pageSize: 7, fileName: 'prices' });
		expect(items.map(({ json }) => [json.fileName, json.rows, json.part, json.parts])).toEqual([
			['prices-001.csv', 10, 1, 3],
			['prices-002.csv', 10, 2, 3],
			['prices-003.csv', 5, 3, 3],
		]);
		const rows = items.flatMap((item) => parse(textOf(item), { from: 2 }));
		expect(rows).toEqual(Array.from({ length: 25 }, (_row, n) => [String(n)]));
		for (const item of items) expect(textOf(item).startsWith('n\r\n')).toBe(true);
	});

	test('rows that just fit are one file without a number', async () => {
		service.addBatch({ rows: numbered(10) });
		const { items } = await getFiles({}, { rowsPerFile: 10 });
		expect(items.map(({ json }) => json.fileName)).toEqual(['batch-1001.csv']);
	});

	test('the file may be in a field of another name', async () => {
		service.addBatch({ rows: numbered(1) });
		const { items } = await getFiles({ binaryPropertyName: 'rows' });
		expect(Object.keys(items[0].binary ?? {})).toEqual(['rows']);
		expect(textOf(items[0], 'rows')).toBe('n\r\n0\r\n');
	});

	test('a file name is no path', async () => {
		service.addBatch({ rows: numbered(1) });
		const { items } = await getFiles({}, { fileName: '../../etc/pass\nwd' });
		expect(items[0].json.fileName).toBe('.._.._etc_pass_wd.csv');
		expect(items[0].binary?.data.directory).toBeUndefined();
	});

	test.each([
		['products.csv', 'csv', 'products.csv'],
		['Products.CSV', 'csv', 'Products.csv'],
		['products.csv', 'jsonl', 'products.jsonl'],
		['v1.5', 'csv', 'v1.5.csv'],
		['products csv', 'csv', 'products csv.csv'],
		['.csv', 'csv', 'batch-1001.csv'],
	])(
		'an extension that was typed is not there twice: %s as %s',
		async (fileName, fileFormat, name) => {
			service.addBatch({ fields, rows: ['{"f1":1}', '{"f1":2}'] });
			const [whole] = (await getFiles({ fileFormat }, { fileName })).items;
			expect(whole.json.fileName).toBe(name);
			const parts = await getFiles({ fileFormat }, { fileName, rowsPerFile: 1 });
			expect(parts.items[1].json.fileName).toBe(name.replace(/(?=\.[^.]*$)/, '-002'));
		},
	);

	test('columns, batch, limit and duplicates are those of items', async () => {
		const rows = ['{"f1":"a","f2":1}', '{"f1":"a","f2":1}', '{"f1":"b"}', '{"f1":"c"}'];
		service.addBatch({ batchID: 9007199254740993n, fields, rows });
		const { items } = await getFiles(
			{ returnAll: false, limit: 2 },
			{ fields: ['Price', 'Name'], includeBatch: true, deduplication: 'read' },
		);
		expect(table(items[0])).toEqual([
			['Price', 'Name', '_batchId', '_taskId'],
			['1', 'a', '9007199254740993', service.taskID],
			['', 'b', '9007199254740993', service.taskID],
		]);
		expect(items[0].json.fileName).toBe('batch-9007199254740993.csv');
	});

	test('an added key that is chosen is one column, where it is asked for', async () => {
		service.addBatch({ fields, rows: ['{"f1":"a","f2":1}'] });
		const { items } = await getFiles({}, { fields: ['_batchId', 'Price'], includeBatch: true });
		expect(table(items[0])).toEqual([
			['_batchId', 'Price', '_taskId'],
			['1001', '1', service.taskID],
		]);
	});

	test('a key that the batch does not know gets a column of its own', async () => {
		service.addBatch({ fields, rows: ['{"f1":"a"}', '{"f1":"b","extra":1}'] });
		const { items } = await getFiles();
		expect(table(items[0])).toEqual([
			['Name', 'Price', 'extra'],
			['a', '', ''],
			['b', '', '1'],
		]);
	});

	test('a column that one file has got, the next ones have, too', async () => {
		service.addBatch({
			fields: [{ id: 'a', name: 'A' }],
			rows: ['{"a":1,"x":"new"}', '{"a":2}', '{"a":3}'],
		});
		const { items } = await getFiles({}, { rowsPerFile: 1 });
		expect(items.map((item) => textOf(item))).toEqual([
			'A,x\r\n1,new\r\n',
			'A,x\r\n2,\r\n',
			'A,x\r\n3,\r\n',
		]);
	});

	test('a failure in the middle of a read returns no file', async () => {
		service.addBatch({ rows: numbered(10) });
		service.script(({ query }) => query.page === '3', refusal(9000002, 'broken'));
		const { items, error } = await getFiles({}, { pageSize: 2, rowsPerFile: 1 });
		expect(items).toEqual([]);
		expect(error?.message).toBe('The service refused the request');
	});

	test.each<[string, INodeParameters, INodeParameters, string]>([
		[
			'another format',
			{ fileFormat: '={{ "xlsx" }}' },
			{},
			'File Format must be one of csv, jsonl',
		],
		['another output', { output: '={{ "table" }}' }, {}, 'Output must be one of items, file'],
		['no field', { binaryPropertyName: '={{ " " }}' }, {}, 'Put Output File in Field is empty'],
		[
			'rows per file 0',
			{},
			{ rowsPerFile: 0 },
			'Rows per File must be a whole number of at least 1',
		],
	])('bad input costs nothing: %s', async (_kind, parameters, options, message) => {
		const { error } = await getFiles(parameters, options);
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});
});
