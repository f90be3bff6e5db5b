/** Digits that every double holds, whatever they are. */
const surelyExactDigits = 15;

/** A JSON string (skipped as a whole) or a number. Unrolled, so that long strings cost no stack. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** With fewer digits in its exponent, a number of few digits is neither too large nor too small. */
const longExponent = /[eE][+-]?\d{3}/;

const integerText = /^-?\d+$/;

/** Some servers begin every text with it. */
const byteOrderMark = '\uFEFF';

/**
 * Parses JSON like `JSON.parse`, but a number that JavaScript cannot hold exactly (a 64-bit batch
 * identifier, a decimal of twenty digits, 1e400) becomes its text instead of another number. Throws a
 * SyntaxError on text that is no JSON.
 */
export function parseJson(text: string): unknown {
	const json = text.startsWith(byteOrderMark) ? text.slice(1) : text;
	const mayBeInexact = hasLongNumber(json) || longExponent.test(json);
	return JSON.parse(mayBeInexact ? quoteInexactNumbers(json) : json);
}

/**
 * Whether so many digits follow one another anywhere, with a point among them or not. Of that many
 * characters in a row one stands at each multiple of the number, so the rest need no look: /\d{16}/ took
 * a sixth of the time of a read.
 */
function hasLongNumber(text: string): boolean {
	for (let index = surelyExactDigits; index < text.length; index += surelyExactDigits + 1) {
		if (!isDigitOrPoint(text, index)) continue;
		let first = index;
		while (isDigitOrPoint(text, first - 1)) first--;
		let end = index + 1;
		while (isDigitOrPoint(text, end)) end++;
		if (end - first > surelyExactDigits) return true;
	}
	return false;
}

/** False before the beginning and after the end, where the code is NaN. */
function isDigitOrPoint(text: string, index: number): boolean {
	const code = text.charCodeAt(index);
	return (code >= 48 && code <= 57) || code === 46;
}

function quoteInexactNumbers(text: string): string {
	return text.replace(stringOrNumber, (token) =>
		token.startsWith('"') || isExact(token) ? token : `"${token}"`,
	);
}

/** Whether the number that a token becomes says what the token says. */
function isExact(token: string): boolean {
	const number = Number(token);
	if (integerText.test(token)) return Number.isSafeInteger(number);
	return Number.isFinite(number) && inDigits(token) === inDigits(String(number));
}

/** A number as its digits without zeros at both ends, and the power of ten of the last one. */
function inDigits(text: string): string {
	const [mantissa, exponent = '0'] = text.replace('-', '').toLowerCase().split('e');
	const [whole, decimals = ''] = mantissa.split('.');
	const digits = (whole + decimals).replace(/^0+/, '');
	const significant = digits.replace(/0+$/, '');
	const power = Number(exponent) - decimals.length + digits.length - significant.length;
	return significant === '' ? '' : `${significant}e${power}`;
}

/** An object with keys: no list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
