import '../../support/engine/engineEnvironment';

import { CredentialTestContext } from 'n8n-core';

import { CloudScraping } from '../../../nodes/CloudScraping/CloudScraping.node';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { html, refusal, reset } from '../../support/scriptedService/scriptedAnswers';
import { closedPort } from '../../support/scriptedService/scriptedService';

describe('the test of the credential', () => {
	const service = useScriptedService();

	/** Tests the credential as n8n does when the user saves it. */
	const testCredential = async (change: { baseUrl?: string; apiKey?: string } = {}) => {
		const { cloudScrapingApiTest } = new CloudScraping().methods.credentialTest;
		return await cloudScrapingApiTest.call(new CredentialTestContext(), {
			id: '1',
			name: 'Cloud Scraping',
			type: 'cloudScrapingApi',
			data: { ...service.credential, ...change },
		});
	};

	test('accepts a key that the service accepts, with one cheap request', async () => {
		expect(await testCredential()).toEqual({ status: 'OK', message: 'The API key works' });
		expect(service.requests).toHaveLength(1);
		expect(service.requests[0]).toMatchObject({ endpoint: 'batches', query: { size: '1' } });
		expect(service.requests[0].headers['x-cp-request-id']).toMatch(/^[0-9a-f-]{36}$/);
	});

	test.each([200, 404])(
		'refuses a base URL whose path is not found with HTTP %i',
		async (status) => {
			const baseUrl = `${service.baseUrl}/v2/`;
			service.script('all', refusal(9000004, 'There is no GET /v2/cloud/batches here.', status), {
				times: 1,
			});
			expect(await testCredential({ baseUrl })).toEqual({
				status: 'Error',
				message: `The base URL does not lead to the service: There is no GET /v2/cloud/batches here. Check the base URL of the credential: if ${baseUrl} is a page, such as one of the console, enter ${service.baseUrl}.`,
			});
			service.script('all', refusal(9000004, 'There is no such task.', status), { times: 1 });
			expect(await testCredential({ baseUrl })).toMatchObject({ status: 'OK' });
		},
	);

	test.each([200, 404])('accepts it when the task is not found with HTTP %i', async (status) => {
		service.script('all', refusal(9000004, 'no such task', status));
		expect(await testCredential()).toMatchObject({ status: 'OK' });
	});

	test.each([9000000, 9000001, 9000002, 9000004, 9000005])(
		'accepts it with code %i: which one an unknown task gets is not specified',
		async (code) => {
			for (const status of [200, 400, 500]) {
				service.script('all', refusal(code, 'no such task', status), { times: 1 });
				expect(await testCredential()).toEqual({ status: 'OK', message: 'The API key works' });
			}
		},
	);

	test('accepts a code that is a string of digits', async () => {
		const body = '{"code":"0","msg":"","data":{"list":[],"pagination":{"total":"0"}}}';
		service.script('all', { status: 200, body });
		expect(await testCredential()).toMatchObject({ status: 'OK' });
	});

	test('trims the key and the base URL', async () => {
		const { apiKey, baseUrl } = service.credential;
		const pasted = { apiKey: ` ${apiKey}\r\n`, baseUrl: `${baseUrl}\n` };
		expect(await testCredential(pasted)).toMatchObject({ status: 'OK' });
		expect(service.requests[0].headers.authorization).toBe(`Bearer ${apiKey}`);
	});

	test.each([401, 403])(
		'says of a page with HTTP %i that it may be a gateway that rejects the key, or another address',
		async (status) => {
			service.script('all', html(status, 'Who are you?'));
			const result = await testCredential();
			expect(result.status).toBe('Error');
			expect(result.message).toMatch(
				/^API key rejected, or the base URL does not lead to the service \(HTTP 40[13]: .*Who are you\?/,
			);
			expect(result.message).toMatch(/Check the base URL of the credential\.$/);
		},
	);

	const rejected = () => ({
		status: 'Error',
		message: `API key rejected: ${new URL(service.baseUrl).host} does not know this key. Copy it again whole, or create one in the service's web console, on the page Keys.`,
	});

	test.each([200, 401, 403, 500])('refuses a key that is rejected with HTTP %i', async (status) => {
		service.script('all', refusal(9000003, 'unauthorized', status));
		expect(await testCredential()).toEqual(rejected());
		expect(service.requests).toHaveLength(1);
	});

	test('refuses a wrong key, and says where to get one', async () => {
		expect(await testCredential({ apiKey: 'wrong' })).toEqual(rejected());
	});

	test.each([
		[
			'another error',
			refusal(7654321, 'closed'),
			'The service answered with error 7654321: closed',
		],
		['a web page', html(200, 'Welcome'), 'is not a Cloud Scraping service (HTTP 200'],
		['a missing page', html(404, 'Gone'), 'is not a Cloud Scraping service (HTTP 404'],
		['a busy service', html(429, 'Slow down'), 'The service is busy (HTTP 429). Try again later.'],
		['a failing service', html(502, 'Bad gateway'), 'The service is not working (HTTP 502).'],
		[
			'a redirect',
			{ status: 302, headers: { location: 'https://example.com/' } },
			'redirect to https://example.com/',
		],
		['a cut connection', reset, 'Could not reach 127.0.0.1'],
	])('says what is wrong: %s', async (_kind, answer, message) => {
		service.script('all', answer);
		const result = await testCredential();
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
	});

	test.each([
		['a hint', refusal(7654321, 'You sent sk-very/secret')],
		['a web page', html(200, 'You sent sk-very&#x2F;secret')],
		['a long web page', html(404, `${'x'.repeat(165)}sk-very/secret`)],
		['a redirect', { status: 302, headers: { location: '/login?key=sk-very%2Fsecret' } }],
	])('hides the key that %s repeats', async (_kind, answer) => {
		service.script('all', answer);
		const result = await testCredential({ apiKey: 'sk-very/secret' });
		expect(result.status).toBe('Error');
		expect(result.message).not.toContain('sk-very');
		expect(result.message).toContain('[API');
	});

	test('says that nothing listens at the address', async () => {
		const result = await testCredential({ baseUrl: await closedPort() });
		expect(result.status).toBe('Error');
		expect(result.message).toContain('nothing listens at this address');
	});

	test.each([
		[{ baseUrl: 'ftp://127.0.0.1' }, 'The base URL must start with http:// or https://'],
		[{ apiKey: 'a\nb' }, 'The API key contains a space, a line break'],
	])('sends nothing with %j', async (change, message) => {
		const result = await testCredential(change);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
		expect(service.requests).toEqual([]);
	});
});
