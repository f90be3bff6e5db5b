import { redact } from '../../../../nodes/CloudScraping/api/redact';

/** Letters, digits, and every other kind of character that a key may have. */
const apiKey = 'sk-Secret_9.x/7+8=="\'\\&<>%~$^(|)[*]?{1}#:;@!,`';

const escapedForHtml = (text: string) =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", '&#39;');

const referencesForHtml = (text: string, radix: 10 | 16) =>
	text.replace(/[^a-z0-9]/gi, (character) => {
		const code = character.charCodeAt(0);
		return radix === 10 ? `&#${code};` : `&#x${code.toString(16).toUpperCase()};`;
	});

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

const inUnicode = (text: string) =>
	text.replace(/[^a-z0-9]/gi, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);

const spellings: Array<[string, string]> = [
	['as it is', apiKey],
	['for a URL', encodeURIComponent(apiKey)],
	['for a form', new URLSearchParams({ apiKey }).toString().slice('apiKey='.length)],
	['for a URL with small letters', encodeURIComponent(apiKey).toLowerCase()],
	['for a URL in a URL', encodeURIComponent(encodeURIComponent(apiKey))],
	['in JSON', inJson(apiKey)],
	['in JSON with \\/', inJson(apiKey).replaceAll('/', '\\/')],
	['in JSON in JSON', inJson(inJson(apiKey))],
	['in JSON with \\u', inUnicode(apiKey)],
	['in HTML', escapedForHtml(apiKey)],
	['in HTML with decimal numbers', referencesForHtml(apiKey, 10)],
	['in HTML with hexadecimal numbers', referencesForHtml(apiKey, 16)],
	['in HTML with names', apiKey.replaceAll('/', '&sol;').replaceAll('+', '&plus;')],
	['in HTML in HTML', escapedForHtml(escapedForHtml(apiKey))],
];

describe('redact', () => {
	test.each(spellings)('hides the key %s', (_how, spelled) => {
		expect(redact(`Bearer ${spelled}, and ${spelled}.`, apiKey)).toBe(
			'Bearer [API key], and [API key].',
		);
	});

	test('leaves other texts alone', () => {
		const text = 'sk-Secret_9 &amp; %2F <b>"\\"</b>';
		expect(redact(text, apiKey)).toBe(text);
	});

	test('a key of a few characters leaves the text readable', () => {
		expect(redact('No such task', 'a')).toBe('No such task');
		expect(redact('No such task: abc', 'abc')).toBe('No such task: abc');
		expect(redact('No such task: abcd', 'abcd')).toBe('No such task: [API key]');
	});

	test('reads a long text quickly', () => {
		const text = `${'sk-Secret_9.x/7+8'.repeat(200_000)}${'&amp;'.repeat(200_000)}${'\\'.repeat(200_000)}`;
		const begin = performance.now();
		expect(redact(text, apiKey)).toBe(text);
		expect(performance.now() - begin).toBeLessThan(2_000);
	});
});
