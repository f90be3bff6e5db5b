const LONG_INTEGER = /\d{16}/;

/** A JSON string (skipped as a whole) or a number. Unrolled, so that long strings cost no stack. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const INTEGER = /^-?\d+$/;

/**
 * Parses JSON like `JSON.parse`, but an integer beyond 2^53 (a 64-bit batch identifier) becomes
 * a string of its digits instead of another number. Throws a SyntaxError on text that is no JSON.
 */
export function parseJson(text: string): unknown {
	return JSON.parse(LONG_INTEGER.test(text) ? quoteUnsafeIntegers(text) : text);
}

function quoteUnsafeIntegers(text: string): string {
	return text.replace(STRING_OR_NUMBER, (token) =>
		INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
	);
}
