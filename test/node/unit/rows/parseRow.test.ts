import { RowError, parseRow as parse } from '../../../../nodes/CloudScraping/rows/parseRow';

const place = { batchID: '12345678901234567890', page: 3, position: 7 };

const parseRow = (row: unknown) => parse(row, place, 'sk-secret/1234');

describe('parseRow', () => {
	test('reads the text that the service sent', () => {
		expect(parseRow('{"a":{"b":[1]}}')).toEqual({ a: { b: [1] } });
	});

	test('takes an object as well', () => {
		expect(parseRow({ a: 1 })).toEqual({ a: 1 });
	});

	test('keeps the digits of integers beyond 2^53', () => {
		expect(parseRow('{"a":9007199254740993}')).toEqual({ a: '9007199254740993' });
	});

	test.each(['', 'oops', '[]', 'null', '1', '"{}"', '{"a":1', null, 5, [], true])(
		'throws on %j and names its place',
		(row) => {
			expect(() => parseRow(row)).toThrow(RowError);
			expect(() => parseRow(row)).toThrow(
				/^Row 7 on page 3 of batch 12345678901234567890 is not a JSON object: /,
			);
		},
	);

	const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

	test('takes a row of 1000 levels, and throws on a deeper one', () => {
		const message =
			'Row 7 on page 3 of batch 12345678901234567890 is nested more than 1000 levels deep';
		expect(() => JSON.stringify(parseRow(nested(1_000)))).not.toThrow();
		for (const deep of [nested(1_001), nested(50_000), '['.repeat(5_000) + ']'.repeat(5_000)]) {
			expect(() => parseRow(deep)).toThrow(new RowError(message));
			expect(() => parseRow(JSON.parse(deep))).toThrow(new RowError(message));
		}
	});

	test('takes a long row that is not deep', () => {
		const row = { text: '[{'.repeat(5_000), list: Array.from({ length: 3_000 }, () => [[]]) };
		expect(parseRow(JSON.stringify(row))).toEqual(row);
	});

	test('shows no more than 100 characters of the row', () => {
		expect(() => parseRow('x'.repeat(1000))).toThrow(/: x{100}$/);
	});

	test.each(['Bearer sk-secret/1234', ['sk-secret/1234'], '["sk-secret\\/1234"]'])(
		'hides the API key in %j',
		(row) => {
			expect(() => parseRow(row)).toThrow(/\[API key\]/);
			expect(() => parseRow(row)).not.toThrow(/1234$/);
		},
	);

	test.each([85, 95])('hides a key that begins at character %i of the row', (at) => {
		expect(() => parseRow(`${'x'.repeat(at)}sk-secret/1234`)).toThrow(/: x+\[API/);
	});
});
