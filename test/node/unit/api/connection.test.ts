import { fc } from '../../../support/fastCheck';
import { endpointUrl, readAccess } from '../../../../nodes/CloudScraping/api/connection';

describe('readAccess', () => {
	test.each([
		['https://openapi.example.com', 'https://openapi.example.com/'],
		[' http://127.0.0.1:8787/ ', 'http://127.0.0.1:8787/'],
		['https://example.com/api/v2', 'https://example.com/api/v2'],
		['https://example.com/cloud', 'https://example.com/'],
		['https://example.com/cloud/', 'https://example.com/'],
		['https://example.com/api/cloud/start', 'https://example.com/api'],
		['https://example.com/cloud/cloud/batches', 'https://example.com/cloud'],
		['https://example.com/clouds', 'https://example.com/clouds'],
		['https://cloud.example.com/my-cloud', 'https://cloud.example.com/my-cloud'],
	])('accepts %j', (baseUrl, href) => {
		const access = readAccess({ baseUrl, apiKey: 'key' });
		expect('baseUrl' in access && access.baseUrl.href).toBe(href);
	});

	test.each([
		['', 'The base URL is empty'],
		['openapi.example.com', 'enter http://openapi.example.com or https://openapi.example.com'],
		['localhost:8787', 'enter http://localhost:8787 or https://localhost:8787'],
		['127.0.0.1:8787/', 'enter http://127.0.0.1:8787/ or https://127.0.0.1:8787/'],
		['//cloud.example', 'enter http://cloud.example or https://cloud.example'],
		['my service', 'is not a web address'],
		['ftp://example.com', 'must start with http:// or https://, not with ftp:'],
		['javascript:alert(1)', 'must start with http://'],
		['https://user@example.com', 'user name or password'],
		['https://:word@example.com', 'user name or password'],
		['https://example.com?a=1', 'such as https://example.com, not that of a page'],
		['https://example.com#a', 'must not contain "?" or "#"'],
	])('refuses the base URL %j', (baseUrl, problem) => {
		const access = readAccess({ baseUrl, apiKey: 'key' });
		expect('problem' in access && access.problem).toContain(problem);
	});

	test.each(['', ' ', 'a b', 'a\nb', 'a\r\nx: y', 'k\u0000', 'ключ', 'a\tb'])(
		'refuses the key %j without repeating it',
		(apiKey) => {
			const access = readAccess({ baseUrl: 'https://example.com', apiKey });
			expect('problem' in access && access.problem).toMatch(/^The API key/);
			if (apiKey.trim() !== '') expect(access).not.toMatchObject({ problem: apiKey });
		},
	);

	test.each([' key', 'key\n', '\r\n\tkey \u00a0', '\uFEFFkey'])('trims the key %j', (apiKey) => {
		expect(readAccess({ baseUrl: 'https://example.com\n', apiKey })).toEqual({
			baseUrl: new URL('https://example.com'),
			apiKey: 'key',
		});
	});

	test('says that a pasted header is more than the key', () => {
		const access = readAccess({ baseUrl: 'https://example.com', apiKey: 'Bearer secret' });
		expect('problem' in access && access.problem).toMatch(/^The API key begins with "Bearer", /);
		expect(JSON.stringify(access)).not.toContain('secret');
	});

	test('refuses what is no text', () => {
		expect(readAccess({})).toEqual({ problem: 'The base URL is empty' });
		expect(readAccess({ baseUrl: 5, apiKey: 6 })).toEqual({ problem: 'The base URL is empty' });
	});
});

describe('endpointUrl', () => {
	test.each([
		['https://example.com', 'https://example.com/cloud/data'],
		['https://example.com/', 'https://example.com/cloud/data'],
		['https://example.com/api//', 'https://example.com/api/cloud/data'],
	])('puts the endpoint below %s', (baseUrl, url) => {
		expect(endpointUrl(new URL(baseUrl), '/cloud/data')).toBe(url);
	});

	test('keeps every value a value, and the path the path', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (taskID) => {
				const url = new URL(
					endpointUrl(new URL('https://example.com'), '/cloud/batches', { taskID }),
				);
				expect(url.pathname).toBe('/cloud/batches');
				expect([...url.searchParams]).toEqual([['taskID', taskID]]);
				expect(url.hash).toBe('');
			}),
		);
	});
});
