import type { IDataObject } from 'n8n-workflow';

import { fc } from '../../../support/fastCheck';
import { rowKeys } from '../../../../nodes/CloudScraping/rows/fieldNames';
import { toJson } from '../../../../nodes/CloudScraping/rows/toJson';

const row = (text: string) => JSON.parse(text) as Record<string, unknown>;

const fields = (...names: string[]) => names.map((name, n) => ({ id: `id${n}`, name }));

const shaped = (text: string, names: string[], only?: string[], added: IDataObject = {}) =>
	Object.entries(toJson(row(text), { keys: rowKeys(fields(...names), 'names'), only, added }));

describe('toJson', () => {
	test('puts columns in the order of the batch, then keys that it does not know', () => {
		expect(shaped('{"x":1,"id1":"b","y":2,"id0":"a"}', ['A', 'B'])).toEqual([
			['A', 'a'],
			['B', 'b'],
			['x', 1],
			['y', 2],
		]);
	});

	test('leaves out a field that the row lacks, and keeps null and empty values', () => {
		expect(shaped('{"id1":null,"id2":""}', ['A', 'B', 'C'])).toEqual([
			['B', null],
			['C', ''],
		]);
	});

	test('passes nested values on as they are', () => {
		expect(shaped('{"id0":{"json":[1,{"a":null}]}}', ['A'])).toEqual([
			['A', { json: [1, { a: null }] }],
		]);
	});

	test('keeps the columns that are asked for, in that order', () => {
		const text = '{"id0":"a","id1":"b","id2":"c","x":1}';
		expect(shaped(text, ['A', 'B', 'C'], ['x', 'C', 'none', 'A'])).toEqual([
			['x', 1],
			['C', 'c'],
			['A', 'a'],
		]);
	});

	test('adds keys behind the columns, also behind chosen ones', () => {
		expect(shaped('{"id0":"a","id1":"b"}', ['A', 'B'], ['B'], { _batchId: 5 })).toEqual([
			['B', 'b'],
			['_batchId', 5],
		]);
	});

	test('an added key that is asked for stands where it is asked for', () => {
		const added = { _batchId: 5, _taskId: 't' };
		expect(shaped('{"id0":"a","id1":"b"}', ['A', 'B'], ['_batchId', 'B'], added)).toEqual([
			['_batchId', 5],
			['B', 'b'],
			['_taskId', 't'],
		]);
	});

	test.each(['__proto__', 'constructor', 'json', 'toString', 'length'])(
		'a column named %s is an ordinary one',
		(name) => {
			expect(shaped('{"id0":{"a":1}}', [name])).toEqual([[name, { a: 1 }]]);
			expect(shaped('{"id0":"x","id1":"y"}', [name, 'B'], [name])).toEqual([[name, 'x']]);
			expect(shaped('{"id0":"x"}', ['A'], [name])).toEqual([]);
		},
	);

	test('a key "__proto__" of a row sets no prototype', () => {
		const json = toJson(row('{"__proto__":{"polluted":1}}'), {
			keys: rowKeys([], 'names'),
			added: {},
		});
		expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
		expect(Object.keys(json)).toEqual(['__proto__']);
		expect('polluted' in json).toBe(false);
	});

	test('loses and doubles no value', () => {
		const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'A', 'A (2)', 'id'));
		const batch = fc.array(fc.record({ id: key, name: key }));
		const values = fc
			.uniqueArray(key)
			.chain((keys) => fc.tuple(...keys.map((name) => fc.tuple(fc.constant(name), fc.integer()))));
		fc.assert(
			fc.property(batch, values, (batch, values) => {
				const keys = rowKeys(batch, 'names');
				const json = toJson(Object.fromEntries(values), { keys, added: {} });
				const expected = values.map(([name, value]) => [keys.nameOf(name), value]);
				expect(new Map(Object.entries(json))).toEqual(new Map(expected as Array<[string, number]>));
			}),
		);
	});
});
