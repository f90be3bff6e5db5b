import {
	newInThisRead,
	rowFingerprint,
	valuesFingerprint,
} from '../../../../nodes/CloudScraping/rows/deduplicate';

describe('newInThisRead', () => {
	test('knows a row again by all its values, whatever the order of the keys', () => {
		const isNew = newInThisRead();
		const rows = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1 }, { a: 1, b: 3 }, { a: 1, b: 2 }];
		expect(rows.map(isNew)).toEqual([true, false, true, true, false]);
	});

	test('remembers nothing of another read', () => {
		expect(newInThisRead()({ a: 1 })).toBe(true);
		expect(newInThisRead()({ a: 1 })).toBe(true);
	});
});

describe('rowFingerprint', () => {
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

	test('takes a missing value as none', () => {
		expect(valuesFingerprint({}, ['a'])).toBe(valuesFingerprint({ a: null }, ['a']));
		expect(valuesFingerprint({}, ['toString'])).toBe(valuesFingerprint({ a: 1 }, ['toString']));
	});
});
