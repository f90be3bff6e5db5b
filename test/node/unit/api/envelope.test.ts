import { readAnswer } from '../../../../nodes/CloudScraping/api/envelope';
import { isObject } from '../../../../nodes/CloudScraping/api/json';

const response = (statusCode: number, body: unknown, headers: object = {}) => ({
	statusCode,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});

const asked = { apiKey: 'sk-secret/1234', url: 'https://old.example.com/v1/cloud/start?size=1' };

const read = (answer: unknown) => {
	const body = isObject(answer) && typeof answer.body === 'string' ? answer.body : '';
	return readAnswer(answer, body, asked, (data) =>
		typeof data === 'string' ? data.toUpperCase() : undefined,
	);
};

describe('readAnswer', () => {
	test.each([200, 201, 299])('takes code 0 with HTTP %i as success', (status) => {
		const answer = read(response(status, { code: 0, msg: '', data: 'rows' }));
		expect(answer).toEqual({ kind: 'success', data: 'ROWS' });
	});

	test.each([199, 300, 304, 400, 500, 0])(
		'does not take code 0 with HTTP %i as success',
		(status) => {
			const answer = read(response(status, { code: 0, msg: '', data: 'rows' }));
			expect(answer).toMatchObject({ kind: 'refusal', status, code: undefined });
		},
	);

	test('does not take data of another shape as success', () => {
		const answer = read(response(200, { code: 0, msg: '', data: 5 }));
		expect(answer).toMatchObject({ kind: 'refusal', status: 200, code: undefined });
	});

	test('reads a code that is a string of digits', () => {
		const answer = read(response(200, { code: '0', msg: '', data: 'rows' }));
		expect(answer).toEqual({ kind: 'success', data: 'ROWS' });
		expect(read(response(200, { code: '9000004' }))).toMatchObject({ code: 9000004 });
	});

	test.each([200, 400, 500])('reads an error code with HTTP %i', (status) => {
		const answer = read(response(status, { code: 9000002, msg: 'no', data: null }));
		expect(answer).toMatchObject({ kind: 'refusal', status, code: 9000002, msg: 'no' });
	});

	test.each([
		['HTML', '<html>Hello</html>'],
		['nothing', ''],
		['an array', '[]'],
		['null', 'null'],
		['no code', '{"msg":"x"}'],
		['a code that is a text', '{"code":"none","data":"rows"}'],
		['an empty code', '{"code":"","data":"rows"}'],
		['a code that is true', '{"code":true,"data":"rows"}'],
		['a code with a fraction', '{"code":0.5,"data":"rows"}'],
	])('finds no envelope in %s', (_kind, body) => {
		expect(read(response(200, body))).toMatchObject({ kind: 'refusal', code: undefined, msg: '' });
	});

	test('leaves out a hint that is no text', () => {
		expect(read(response(200, { code: 1, msg: { a: 1 } }))).toMatchObject({ code: 1, msg: '' });
	});

	test('shows the beginning of the body in one line', () => {
		const answer = read(response(502, `  <h1>\n\n Bad\t gateway </h1>${'x'.repeat(1000)}`));
		const excerpt = answer.kind === 'refusal' ? answer.excerpt : '';
		expect(excerpt.startsWith('‹h1› Bad gateway ‹/h1›xxx')).toBe(true);
		expect(excerpt).toHaveLength(200);
	});

	test.each([
		[
			'<!DOCTYPE html>\n<html lang="en"><head><style>p > a { top: 0 }</style><title>\n Sign in </title>',
			'a web page with the title "Sign in"',
		],
		['<html><title data-a="1">R&amp;D &#39;a&lt;b&#39; &eacute;</title>', "R& D 'a‹b' & eacute;\""],
		['<html><body>Hello</body></html>', 'a web page, and not the API'],
		['<!doctype html><title> </title>', 'a web page, and not the API'],
		[`<html><title>${'x'.repeat(500)}`, `title "${'x'.repeat(200)}"`],
	])('says of the web page %s its title alone', (body, said) => {
		const answer = read(response(404, body));
		const excerpt = answer.kind === 'refusal' ? answer.excerpt : '';
		expect(excerpt.slice(-said.length)).toBe(said);
		expect(excerpt).toMatch(/^a web page/);
	});

	test('shows nothing that n8n would render as HTML', () => {
		const msg = 'send Bearer <API_KEY> & a&copy=1 &lt;b&gt; &#60;';
		expect(read(response(200, { code: 1, msg }))).toMatchObject({
			msg: 'send Bearer ‹API_KEY› & a& copy=1 & lt;b& gt; & #60;',
		});
		const redirect = read(response(302, '', { location: '/<b>?a=1&region=us' }));
		expect(redirect).toMatchObject({ excerpt: 'redirect to /‹b›?a=1& region=us' });
	});

	test.each([0, 150, 180, 195, 780, 795])('hides a key that begins at character %i', (at) => {
		for (const space of [' ', ' '.repeat(700)]) {
			const body = `${'x'.repeat(at)}${space}sk-secret/1234 sk-secret%2F1234 ${'y'.repeat(300)}`;
			const answer = read(response(502, body));
			expect(answer.kind === 'refusal' && answer.excerpt).not.toContain('sk');
		}
	});

	test('shows at most 1,000 characters of a hint, and no part of the key', () => {
		const msg = `${'x'.repeat(995)}${'key-1234'}${'y'.repeat(5_000_000)}`;
		const answer = readAnswer(
			{ statusCode: 200, headers: {} },
			JSON.stringify({ code: 9000002, msg }),
			{ ...asked, apiKey: 'key-1234' },
			() => undefined,
		);
		const shown = answer.kind === 'refusal' ? answer.msg : '';
		expect(shown).toBe(`${'x'.repeat(995)}[API …`);
	});

	test('hides the key in a hint and in a redirect', () => {
		const msg = 'You sent sk-secret/1234';
		expect(read(response(200, { code: 1, msg }))).toMatchObject({ msg: 'You sent [API key]' });
		const redirect = read(response(302, '', { location: '/login?key=sk-secret%2F1234' }));
		expect(redirect).toMatchObject({ excerpt: 'redirect to /login?key=[API key]' });
	});

	test('shows that the body is empty, and where a redirect leads', () => {
		expect(read(response(204, ''))).toMatchObject({ excerpt: '(empty body)' });
		const redirect = read(response(302, 'Moved', { Location: 'https://example.com/' }));
		expect(redirect).toMatchObject({ excerpt: 'redirect to https://example.com/' });
	});

	test.each([
		['https://new.example.com/api/cloud/start', 'https://new.example.com/api'],
		['/v2/cloud/start', 'https://old.example.com/v2'],
		['../v2/cloud/start', 'https://old.example.com/v1/v2'],
		['//new.example.com/cloud/start', 'https://new.example.com'],
		['/login', undefined],
		[undefined, undefined],
		['http://[', undefined],
	])('names the base URL that a redirect to %j leads to', (location, base) => {
		expect(read(response(307, '', { location }))).toMatchObject({ location: base });
	});

	test('passes Retry-After on, however it is spelled', () => {
		expect(read(response(429, '', { 'Retry-After': '3' }))).toMatchObject({ retryAfter: '3' });
		expect(read(response(429, '', { 'retry-after': '4' }))).toMatchObject({ retryAfter: '4' });
	});

	test.each([undefined, null, 'text', {}, { body: 5, headers: 'x' }])(
		'survives a response that is none: %j',
		(answer) => {
			expect(read(answer)).toMatchObject({ kind: 'refusal', status: 0, excerpt: '(empty body)' });
		},
	);
});

test.each([
	[{}, true],
	[{ a: 1 }, true],
	[[], false],
	[null, false],
	['a', false],
	[undefined, false],
])('isObject(%j) is %s', (value, expected) => {
	expect(isObject(value)).toBe(expected);
});
