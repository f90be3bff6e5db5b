import { fc } from '../../../support/fastCheck';
import { chooseColumns, rowKeys } from '../../../../nodes/CloudScraping/rows/fieldNames';

const fields = (...names: string[]) => names.map((name, n) => ({ id: `id${n}`, name }));

const namesOf = (names: string[], reserved?: string[]) =>
	rowKeys(fields(...names), 'names', reserved).columns.map(([, name]) => name);

describe('rowKeys', () => {
	test('gives each field its name', () => {
		expect(namesOf(['Name', 'Price'])).toEqual(['Name', 'Price']);
	});

	test('numbers equal names', () => {
		expect(namesOf(['A', 'A', 'A'])).toEqual(['A', 'A (2)', 'A (3)']);
	});

	test('a number that a field has already is left out', () => {
		expect(namesOf(['A (2)', 'A', 'A'])).toEqual(['A (2)', 'A', 'A (3)']);
		expect(namesOf(['A', 'A', 'A (2)'])).toEqual(['A', 'A (3)', 'A (2)']);
		expect(namesOf(['A', 'A', 'A (2)', 'A (2)', 'A'])).toEqual([
			'A',
			'A (3)',
			'A (2)',
			'A (2) (2)',
			'A (4)',
		]);
	});

	test('a name that only one field has stays its own, whatever the others are called', () => {
		const name = fc.constantFrom('A', 'A (2)', 'A (3)', 'A (2) (2)', 'B');
		fc.assert(
			fc.property(fc.array(name, { maxLength: 8 }), (names) => {
				const given = namesOf(names);
				expect(new Set(given).size).toBe(names.length);
				for (const [n, each] of names.entries()) {
					expect(given[n] === each).toBe(names.indexOf(each) === n);
				}
			}),
		);
	});

	test('an empty name falls back to the id', () => {
		expect(namesOf(['', 'B', ''])).toEqual(['id0', 'B', 'id2']);
	});

	test('names differ by case and by white space', () => {
		expect(namesOf(['a', 'A', 'a '])).toEqual(['a', 'A', 'a ']);
	});

	test('a reserved name is taken', () => {
		expect(namesOf(['_batchId', 'A'], ['_batchId'])).toEqual(['_batchId (2)', 'A']);
	});

	test('the ids of the fields may be the keys', () => {
		const keys = rowKeys(fields('A', 'A'), 'ids');
		expect(keys.columns).toEqual([
			['id0', 'id0'],
			['id1', 'id1'],
		]);
	});

	test('a key that is no field keeps its id, unless a field has that name', () => {
		const keys = rowKeys(fields('other'), 'names');
		expect(keys.nameOf('id0')).toBe('other');
		expect(keys.nameOf('extra')).toBe('extra');
		expect(keys.nameOf('other')).toBe('other (2)');
		expect(keys.nameOf('other')).toBe('other (2)');
	});

	test('a field that is listed twice is one column', () => {
		const keys = rowKeys(
			[
				{ id: 'a', name: 'A' },
				{ id: 'a', name: 'B' },
			],
			'names',
		);
		expect(keys.columns).toEqual([['a', 'A']]);
	});

	test.each(['__proto__', 'constructor', 'json', 'toString', 'hasOwnProperty'])(
		'%s is an ordinary name and an ordinary id',
		(name) => {
			expect(namesOf([name, name])).toEqual([name, `${name} (2)`]);
			expect(rowKeys([{ id: name, name: 'N' }], 'names').nameOf(name)).toBe('N');
			expect(rowKeys([], 'names').nameOf(name)).toBe(name);
		},
	);

	test('is a bijection between the keys of rows and the keys of items', () => {
		const name = fc.oneof(
			fc.string(),
			fc.constantFrom('A', 'A (2)', 'A (3)', '', '__proto__', 'constructor', '_batchId'),
		);
		const batch = fc.array(fc.record({ id: name, name }), { maxLength: 12 });
		const use = fc.constantFrom('names' as const, 'ids' as const);
		const reserved = fc.array(name, { maxLength: 3 });
		fc.assert(
			fc.property(batch, use, reserved, fc.array(name), (batch, use, reserved, extra) => {
				const { columns, nameOf } = rowKeys(batch, use, reserved);
				const keys = [...new Set([...batch.map(({ id }) => id), ...extra])];
				const names = keys.map(nameOf);
				expect(new Set(names).size).toBe(keys.length);
				expect(keys.map(nameOf)).toEqual(names);
				expect(names.filter((taken) => reserved.includes(taken))).toEqual([]);
				expect(columns.map(([id]) => nameOf(id))).toEqual(columns.map(([, own]) => own));
			}),
		);
	});
});

describe('chooseColumns', () => {
	const keys = rowKeys(fields('A', 'B', 'id0'), 'names');

	test('finds columns by name, else by id, in the order of the user', () => {
		expect(chooseColumns(['B', 'id1', 'id0', 'A'], keys)).toEqual({
			only: ['B', 'id0', 'A'],
			unknown: [],
		});
	});

	test('finds them by name and by id, whichever of the two the keys are', () => {
		const byId = rowKeys(fields('A', 'A', 'id0', '_batchId'), 'ids', ['_batchId']);
		expect(chooseColumns(['A (2)', 'id0', 'id2', '_batchId (2)'], byId)).toEqual({
			only: ['id1', 'id0', 'id2', 'id3'],
			unknown: [],
		});
		expect(chooseColumns(['A'], byId).only).toEqual(['id0']);
		expect(chooseColumns(['_batchId'], byId).unknown).toEqual(['_batchId']);
	});

	test('spaces around a name need not be typed', () => {
		const spaced = rowKeys(fields(' Price ', 'Price'), 'names');
		expect(chooseColumns(['Price'], spaced).only).toEqual(['Price']);
		expect(chooseColumns(['Name'], rowKeys(fields(' Name '), 'names'))).toEqual({
			only: [' Name '],
			unknown: [],
		});
	});

	test('says which it does not know, and keeps them', () => {
		expect(chooseColumns(['C', 'A'], keys)).toEqual({ only: ['C', 'A'], unknown: ['C'] });
	});

	test.each(['__proto__', 'constructor'])('does not know %s unless a column has it', (name) => {
		expect(chooseColumns([name], keys).unknown).toEqual([name]);
		expect(chooseColumns([name], rowKeys(fields(name), 'names')).unknown).toEqual([]);
	});
});
