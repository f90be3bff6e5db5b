import { fc } from '../../../support/fastCheck';
import { parseJson } from '../../../../nodes/CloudScraping/api/json';

/** A decimal number, exactly: so many times a power of ten, the largest that leaves a whole number. */
function asFraction(text: string): [bigint, number] {
	const [mantissa, exponent = '0'] = text.split('e');
	const [whole, decimals = ''] = mantissa.split('.');
	let times = BigInt(whole + decimals);
	let power = Number(exponent) - decimals.length;
	if (times === 0n) return [0n, 0];
	for (; times % 10n === 0n; times /= 10n) power++;
	return [times, power];
}

describe('parseJson', () => {
	test.each([
		['{"batchID":9007199254740993}', { batchID: '9007199254740993' }],
		[
			'[9223372036854775807, -9223372036854775808]',
			['9223372036854775807', '-9223372036854775808'],
		],
		['18446744073709551615', '18446744073709551615'],
		['{"a":{"b":[1,12345678901234567890]}}', { a: { b: [1, '12345678901234567890'] } }],
	])('keeps the digits of an integer beyond 2^53: %s', (text, value) => {
		expect(parseJson(text)).toEqual(value);
	});

	test.each(['9007199254740991', '-9007199254740991', '1000000000000000', '0', '-1'])(
		'leaves %s a number',
		(text) => {
			expect(parseJson(text)).toBe(Number(text));
		},
	);

	test.each([
		'1234567890123456.5',
		'0.30000000000000004',
		'1.50000000000000000000',
		'-0.00000000000000000000',
		'1e20',
		'-1.5E+300',
		'5e-324',
		'1.7976931348623157e308',
		'12345678901234567E3',
	])('leaves %s, which a double holds, a number', (text) => {
		expect(parseJson(text)).toBe(Number(text));
	});

	test.each([
		'123456789012345678.5',
		'0.12345678901234567890',
		'-1234567890.12345678901',
		'1e400',
		'-1E+400',
		'1e-400',
		'1.23456789e-320',
		'12345678901234567890e1',
	])('keeps the text of %s, which no double holds, wherever it stands', (text) => {
		expect(parseJson(text)).toBe(text);
		expect(parseJson(`{"a":[1,${text}],"${text}":"\\"${text}"}`)).toEqual({
			a: [1, text],
			[text]: `"${text}`,
		});
	});

	test.each([
		'12345678901234567890',
		'say "12345678901234567890"',
		'back\\slash 12345678901234567890\\',
		'\\" 12345678901234567890',
		'{"batchID":12345678901234567890}',
		'line\n\u2028 12345678901234567890',
	])('leaves digits within a text alone: %j', (text) => {
		expect(parseJson(JSON.stringify({ [text]: text, n: 1 }))).toEqual({ [text]: text, n: 1 });
	});

	test('tells a text from an integer beside it', () => {
		expect(
			parseJson('["1111111111111111111",1111111111111111111,"\\"",2222222222222222222]'),
		).toEqual(['1111111111111111111', '1111111111111111111', '"', '2222222222222222222']);
	});

	test('begins behind a byte order mark', () => {
		expect(parseJson('\uFEFF{"id":9007199254740993}')).toEqual({ id: '9007199254740993' });
	});

	test('reads texts of many megabytes', () => {
		const long = '"\\ 12345678901234567890 '.repeat(200_000);
		expect(parseJson(JSON.stringify([long, 1]))).toEqual([long, 1]);
		const plain = 'x'.repeat(5_000_000);
		expect(parseJson(`["${plain}",12345678901234567890]`)).toEqual([plain, '12345678901234567890']);
	});

	test.each(['', '{', '<html>', '{"a":12345678901234567890', "{'a':1}", '12345678901234567890x'])(
		'throws on %j, which is no JSON',
		(text) => {
			expect(() => parseJson(text)).toThrow(SyntaxError);
		},
	);

	test('equals JSON.parse on JSON without integers beyond 2^53', () => {
		fc.assert(
			fc.property(fc.json(), (text) => {
				const expected: unknown = JSON.parse(text, (_key, value: unknown) =>
					Number.isInteger(value) && !Number.isSafeInteger(value) ? 'unsafe' : value,
				);
				fc.pre(!JSON.stringify(expected).includes('unsafe'));
				expect(parseJson(text)).toEqual(JSON.parse(text));
			}),
		);
	});

	test('says of any number what the text says, whatever its digits', () => {
		const digits = (maxLength: number) =>
			fc.stringMatching(new RegExp(`^(0|[1-9][0-9]{0,${maxLength - 1}})$`));
		const decimals = fc.option(fc.stringMatching(/^[0-9]{1,25}$/), { nil: undefined });
		const exponent = fc.option(fc.integer({ min: -420, max: 420 }), { nil: undefined });
		fc.assert(
			fc.property(digits(25), decimals, exponent, (whole, fraction, power) => {
				const text = [
					whole,
					...(fraction === undefined ? [] : ['.', fraction]),
					...(power === undefined ? [] : ['e', power]),
				].join('');
				const parsed = parseJson(`[${text}]`);
				const [value] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
				if (typeof value === 'string') expect(value).toBe(text);
				else expect(asFraction(String(value))).toEqual(asFraction(text));
			}),
			{ numRuns: 2_000 },
		);
	});

	test('keeps the digits of any 64-bit integer, wherever it stands', () => {
		const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
		fc.assert(
			fc.property(wide, fc.string(), (integer, text) => {
				const key = JSON.stringify(text);
				const isSafe = Number.isSafeInteger(Number(integer));
				const value = isSafe ? Number(integer) : String(integer);
				const own = Object.fromEntries([[text, [value, text]]]);
				expect(parseJson(`{${key}:[${integer},${key}]}`)).toEqual(own);
			}),
		);
	});
});
