import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import { fc } from '../../../support/fastCheck';
import { fileText } from '../../../../nodes/CloudScraping/rows/toFile';

const written = (
	format: 'csv' | 'jsonl',
	columns: string[],
	rows: IDataObject[],
	forExcel = false,
) => {
	const file = fileText({ format, forExcel }, columns);
	for (const row of rows) file.add(row);
	expect(file.rows).toBe(rows.length);
	return file.end().toString('utf8');
};

const csv = (columns: string[], ...rows: IDataObject[]) => written('csv', columns, rows);

describe('a CSV file', () => {
	test('has a header, and lines that end as RFC 4180 says', () => {
		expect(csv(['A', 'B'], { A: 'a', B: 1 }, { A: 'b', B: true })).toBe('A,B\r\na,1\r\nb,true\r\n');
	});

	test('has its header without rows, too', () => {
		expect(csv(['A', 'B'])).toBe('A,B\r\n');
	});

	test('quotes what would break a line', () => {
		expect(csv(['A "1"', 'B,2'], { 'A "1"': 'x"y', 'B,2': 'p,q' }, { 'A "1"': 'r\ns' })).toBe(
			'"A ""1""","B,2"\r\n"x""y","p,q"\r\n"r\ns",\r\n',
		);
	});

	test('has empty cells for missing values, null, and empty texts', () => {
		expect(csv(['A', 'B', 'C'], { B: null }, { A: '' })).toBe('A,B,C\r\n,,\r\n,,\r\n');
	});

	test('writes nested values as JSON', () => {
		expect(csv(['A', 'B'], { A: { x: [1, 'é'] }, B: [] })).toBe(
			'A,B\r\n"{""x"":[1,""é""]}",[]\r\n',
		);
	});

	test('a key that is no column gets one at the end, when it first comes', () => {
		expect(csv(['A'], { A: 1 }, { A: 2, X: 3 }, { Y: 4 }, { A: 5 })).toBe(
			'A,X,Y\r\n1,,\r\n2,3,\r\n,,4\r\n5,,\r\n',
		);
	});

	test('has a cell for each column also in rows from before there was one', () => {
		expect(csv([], {}, { A: 1 }, { A: 2, B: 3 })).toBe('A,B\r\n,\r\n1,\r\n2,3\r\n');
		expect(csv([], {}, { A: 1 })).toBe('A\r\n""\r\n1\r\n');
	});

	test('does not lose a row of one empty cell', () => {
		expect(parse(csv(['A'], { A: '' }, { A: 'x' }, {}), { columns: true })).toEqual([
			{ A: '' },
			{ A: 'x' },
			{ A: '' },
		]);
	});

	test.each(['__proto__', 'constructor', 'toString'])('knows no value of %s by itself', (name) => {
		expect(csv([name, 'A'], { A: 1 })).toBe(`${name},A\r\n,1\r\n`);
	});

	test('is read back by another reader as it was, whatever the texts', () => {
		const text = fc.string({ unit: 'binary' });
		const columns = fc.uniqueArray(text.filter(Boolean), { minLength: 1, maxLength: 6 });
		const table = columns.chain((names) => {
			const row = fc.tuple(...names.map(() => text));
			return fc.tuple(fc.constant(names), fc.array(row, { maxLength: 8 }));
		});
		fc.assert(
			fc.property(table, ([names, rows]) => {
				const objects = rows.map((cells) =>
					Object.fromEntries(cells.map((cell, n) => [names[n], cell])),
				);
				const read: unknown = parse(csv(names, ...objects), { record_delimiter: '\r\n' });
				expect(read).toEqual([names, ...rows]);
			}),
		);
	});
});

describe('a CSV file for Excel', () => {
	const forExcel = (columns: string[], ...rows: IDataObject[]) =>
		written('csv', columns, rows, true);

	test('begins with a byte order mark, one for the file', () => {
		expect(forExcel(['Größe'], { Größe: 'ä' }, { B: 1 })).toBe('\uFEFFGröße,B\r\nä,\r\n,1\r\n');
	});

	test.each([
		'=1+1',
		'+cmd',
		'-a',
		'- 5',
		'@SUM(A1)',
		'\t=1',
		'+',
		'-1-1',
		'=1.5',
		'-1,5',
		'1e5-',
		'＝1+1',
		'＠SUM(A1)',
	])('keeps the text %j from being a formula, and nothing else', (text) => {
		const [, row] = parse(forExcel(['A'], { A: text }), { bom: true });
		expect(row).toEqual([/^\d/.test(text) ? text : `'${text}`]);
	});

	test.each(['\r=1', '\n=1'])('keeps %j from being one behind a line break', (text) => {
		expect(forExcel(['A'], { A: text })).toBe(`\uFEFFA\r\n"'${text}"\r\n`);
	});

	test('leaves numbers as they are, also those that come as text', () => {
		const row = { A: -1.5, B: '-5', C: '+49', D: '-1.5e-7', E: '-123456789012345678.5' };
		expect(forExcel(Object.keys(row), row)).toBe(
			'\uFEFFA,B,C,D,E\r\n-1.5,-5,+49,-1.5e-7,-123456789012345678.5\r\n',
		);
	});

	test('keeps names of columns from being formulas, too', () => {
		expect(forExcel(['=A', 'B'], { '=A': 1, B: 2 })).toBe("\uFEFF'=A,B\r\n1,2\r\n");
	});

	test('keeps every text readable: without the apostrophe it is what it was', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
				const [, row] = parse(forExcel(['A'], { A: text }), {
					bom: true,
					record_delimiter: '\r\n',
				});
				expect([[text], [`'${text}`]]).toContainEqual(row);
				expect(String(row)).not.toMatch(/^[=@＝＠\t\r\n]/);
			}),
		);
	});
});

describe('a JSONL file', () => {
	test('has an object a line', () => {
		const rows = [{ a: 'x\ny', b: [1] }, { c: null }, {}];
		const text = written('jsonl', ['a'], rows);
		expect(text.endsWith('\n')).toBe(true);
		const lines = text.trimEnd().split('\n');
		expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows);
	});

	test('is empty without rows', () => {
		expect(written('jsonl', ['a'], [])).toBe('');
	});
});
