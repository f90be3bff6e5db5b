import {
	newInThisRead,
	onlyFields,
	rowFingerprint,
	valuesFingerprint,
} from '../../../../nodes/CloudScraping/rows/deduplicate';

describe('newInThisRead', () => {
	test('knows again what stands for a row', () => {
		const isNew = newInThisRead();
		expect(['a', 'b', 'a', '', 'b', ''].map(isNew)).toEqual([
			true,
			true,
			false,
			true,
			false,
			false,
		]);
	});

	test('remembers nothing of another read', () => {
		expect(newInThisRead()('a')).toBe(true);
		expect(newInThisRead()('a')).toBe(true);
	});
});

describe('onlyFields', () => {
	test('leaves the rest of a row out, and what the row lacks', () => {
		expect(onlyFields({ a: 1, b: null, c: 3 }, ['c', 'b', 'x', 'toString'])).toEqual({
			b: null,
			c: 3,
		});
	});

	test('knows a field "__proto__"', () => {
		const row = Object.fromEntries([
			['__proto__', 1],
			['a', 2],
		]);
		expect(Object.entries(onlyFields(row, ['__proto__']))).toEqual([['__proto__', 1]]);
	});
});

describe('rowFingerprint', () => {
	test('is the same for the same values, whatever the order of the keys', () => {
		expect(rowFingerprint({ a: 1, b: 2 })).toBe(rowFingerprint({ b: 2, a: 1 }));
		expect(rowFingerprint({ a: [{ b: 1, c: { d: 2, e: 3 } }] })).toBe(
			rowFingerprint({ a: [{ c: { e: 3, d: 2 }, b: 1 }] }),
		);
	});

	test.each<[object, object]>([
		[{ a: 1 }, { a: '1' }],
		[{ a: null }, {}],
		[{ a: '' }, { a: null }],
		[
			{ a: 'b', c: 'd' },
			{ a: 'd', c: 'b' },
		],
		[{ 'a:1,b': 2 }, { a: 1, b: 2 }],
		[{ a: [1, 2] }, { a: [2, 1] }],
		[{ a: [[1], 2] }, { a: [1, [2]] }],
		[{ ab: 'c' }, { a: 'bc' }],
		[{ a: { b: 1 } }, { a: [['b', 1]] }],
		[{ a: { 0: 1 } }, { a: [1] }],
	])('%j is not %j', (one, other) => {
		expect(rowFingerprint(one)).not.toBe(rowFingerprint(other));
	});

	test('is short, however long the row', () => {
		expect(rowFingerprint({ a: 'x'.repeat(1_000_000) }).length).toBeLessThan(32);
	});
});

describe('valuesFingerprint', () => {
	test('looks at the given fields only', () => {
		expect(valuesFingerprint({ a: 1, b: 2 }, ['a'])).toBe(valuesFingerprint({ a: 1, b: 3 }, ['a']));
		expect(valuesFingerprint({ a: 1 }, ['a'])).not.toBe(valuesFingerprint({ a: 2 }, ['a']));
	});

	test('tells fields apart', () => {
		expect(valuesFingerprint({ a: 1, b: 2 }, ['a', 'b'])).not.toBe(
			valuesFingerprint({ a: 2, b: 1 }, ['a', 'b']),
		);
	});

	test('is the same for nested values, whatever the order of their keys', () => {
		expect(valuesFingerprint({ a: { b: 1, c: 2 } }, ['a'])).toBe(
			valuesFingerprint({ a: { c: 2, b: 1 } }, ['a']),
		);
	});

	test('takes a missing value as none', () => {
		expect(valuesFingerprint({}, ['a'])).toBe(valuesFingerprint({ a: null }, ['a']));
		expect(valuesFingerprint({}, ['toString'])).toBe(valuesFingerprint({ a: 1 }, ['toString']));
	});
});
