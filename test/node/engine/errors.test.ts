import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { INodeParameters } from 'n8n-workflow';
import { vi } from 'vitest';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { html, refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import type { WrittenAnswer } from '../../support/scriptedService/scriptedAnswers';
import { closedPort, startScriptedService } from '../../support/scriptedService/scriptedService';
import type { Endpoint } from '../../support/scriptedService/scriptedService';
import { retryOnFail } from './retryOnFail';
import { startUntrustedHost } from './untrustedHost';

type FailingEndpoint = Exclude<Endpoint, 'batchesBefore'>;

/** The operations, the request of each that fails here, and parameters that make it the only one. */
const operations: Array<{
	operation: string;
	fails: FailingEndpoint;
	parameters: INodeParameters;
}> = [
	{ operation: 'start', fails: 'start', parameters: {} },
	{ operation: 'runAndGetData', fails: 'start', parameters: {} },
	{ operation: 'stop', fails: 'stop', parameters: {} },
	{ operation: 'listBatches', fails: 'batches', parameters: { limit: 1 } },
	{ operation: 'getData', fails: 'data', parameters: { options: { pageSize: 1 } } },
];

/** Section 7: code, HTTP status that fits, message, what the description must say besides. */
const codes: Array<[number, number, string, string]> = [
	[9000000, 400, 'The service could not read a parameter', 'Parameters sent: '],
	[9000001, 400, 'A parameter is out of range', 'hint of the service'],
	[9000002, 400, 'The service refused the request', 'hint of the service'],
	[9000003, 401, 'API key rejected', 'Check the API key and the base URL of the credential'],
	[9000004, 404, 'Task or batch not found', 'Asked for: '],
	[9000005, 409, 'Already exists', 'hint of the service'],
	[7654321, 422, 'The service answered with error 7654321', 'hint of the service'],
];

/** How often a read is sent whose service has accepted the key before. */
const timesRead = (code: number) => {
	if (code === 9000003) return 2;
	return [9000000, 9000001, 9000004].includes(code) ? 1 : 4;
};

const isGet = (operation: string) => operation === 'listBatches' || operation === 'getData';

const withoutData = ['success without data', success(null), 'HTTP 200', '"data":null'] as const;

describe.each(operations)('errors of $operation', ({ operation, fails, parameters }) => {
	const service = useScriptedService();

	beforeEach(() => {
		// No jitter: the tries follow one another at once.
		vi.spyOn(Math, 'random').mockReturnValue(0);
		service.addBatch({ rows: ['{}', '{}'] });
	});

	afterEach(() => {
		vi.restoreAllMocks();
	});

	const run = async () => await runOn(service, { operation, ...parameters });

	const lastRequestId = () => String(service.sentTo(fails).at(-1)?.headers['x-cp-request-id']);

	describe.each(codes)('code %i', (code, status, message, said) => {
		test.each([200, status])('with HTTP %i', async (httpStatus) => {
			// Else a stop that is refused has a title of its own.
			if (operation === 'stop') service.addBatch({ status: 2 });
			service.script(fails, refusal(code, 'hint of the service', httpStatus));
			const { error } = await run();
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message,
				httpCode: String(httpStatus),
				context: { itemIndex: 0, code, requestId: lastRequestId() },
			});
			expect(error?.description).toContain(said);
			expect(error?.description).toContain(`Request ID: ${lastRequestId()}`);
			expect(service.sentTo(fails)).toHaveLength(operation === 'getData' ? timesRead(code) : 1);
		});
	});

	test('names the identifier that was not found', async () => {
		service.script(fails, refusal(9000004, ''));
		const { error } = await run();
		const identifier = operation === 'getData' ? '1001' : service.taskID;
		expect(error?.description).toContain(identifier);
	});

	test('names the parameters that could not be read', async () => {
		service.script(fails, refusal(9000000, ''));
		const { error } = await run();
		const names = { start: 'jobCount', stop: 'taskID', batches: 'orderBy', data: 'preview' };
		expect(error?.description).toContain(names[fails]);
	});

	test.each<readonly [string, WrittenAnswer, string, string]>([
		['a web page with HTTP 200', html(200, 'Welcome'), 'HTTP 200', 'Welcome'],
		['a web page with HTTP 404', html(404, 'No such page'), 'HTTP 404', 'No such page'],
		['an empty body', { status: 200 }, 'HTTP 200', '(empty body)'],
		['other JSON', { status: 200, body: '{"ok":true}' }, 'HTTP 200', '{"ok":true}'],
		// A stop is accepted all the same.
		...(fails === 'stop' ? [] : [withoutData]),
	])('%s is no answer of the service', async (_kind, answer, status, excerpt) => {
		service.script(fails, answer);
		const { error } = await run();
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The address answered, but not as a Cloud Scraping service',
			httpCode: String(answer.status),
			context: { itemIndex: 0, requestId: lastRequestId() },
		});
		expect(error?.description).toContain(status);
		expect(error?.description).toContain(excerpt);
		expect(error?.description).toContain(`Request ID: ${lastRequestId()}`);
	});

	test('shows of a web page its title, and no more than 200 characters of it', async () => {
		service.script(fails, html(200, `Welcome ${'x'.repeat(500)}`));
		const { error } = await run();
		const [, title] = /: a web page with the title "(.*)"$/m.exec(error?.description ?? '') ?? [];
		expect(title).toBe(`Welcome ${'x'.repeat(192)}`);
		expect(error?.description).not.toContain('Page');
	});

	test('shows what n8n would take for markup as signs that look like it', async () => {
		service.script(fails, refusal(9000000, 'Send <taskID> & region: a&region=us, 1 < 2 &lt;'));
		const { error } = await run();
		expect(error?.description).toContain('Send ‹taskID› & region: a& region=us, 1 ‹ 2 & lt;');
	});

	test('HTTP 429 is tried four times, each with a request ID of its own', async () => {
		service.script(fails, { status: 429, headers: { 'retry-after': '0' } });
		const { error } = await run();
		expect(error).toMatchObject({
			message: 'The service is busy',
			httpCode: '429',
			context: { itemIndex: 0, requestId: lastRequestId() },
		});
		expect(error?.description).toContain('Tried 4 times.');
		const ids = service.sentTo(fails).map(({ headers }) => headers['x-cp-request-id']);
		expect(new Set(ids).size).toBe(4);
	});

	test('a web page with HTTP 502: the service failed, and only reading is tried again', async () => {
		service.script(fails, {
			...html(502, 'Bad gateway'),
			headers: { 'retry-after': '0' },
		});
		const { error } = await run();
		expect(error).toMatchObject({
			message: 'The service could not handle the request',
			httpCode: '502',
		});
		expect(error?.description).toContain('Bad gateway');
		expect(error?.description).toContain(`Request ID: ${lastRequestId()}`);
		expect(service.sentTo(fails)).toHaveLength(isGet(operation) ? 4 : 1);
		if (isGet(operation)) expect(error?.description).toContain('Tried 4 times.');
	});

	test('an unreachable address is named, with what is known of the request', async () => {
		const address = await closedPort();
		const credential = { ...service.credential, baseUrl: address };
		const { error } = await runOn({ ...service, credential }, { operation, ...parameters });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `Could not reach ${new URL(address).host}`,
			context: { itemIndex: 0 },
		});
		expect(error?.description).toContain('ECONNREFUSED');
		expect(error?.description).toContain('Tried 4 times.');
		const certainty = { start: 'The task was not started.', stop: 'The task was not stopped.' };
		for (const [endpoint, text] of Object.entries(certainty)) {
			expect(error?.description.includes(text)).toBe(endpoint === fails);
		}
	});

	test('a host that speaks no TLS, or ends the connection before it, has not got the request', async () => {
		const silent = createServer((socket) => socket.on('data', () => socket.end()));
		await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
		const { port } = silent.address() as AddressInfo;
		const reasons = {
			[service.baseUrl]: 'The host does not speak TLS at this port: use http://',
			[`http://127.0.0.1:${port}`]: 'The host closed the connection before it was secured.',
		};
		for (const [address, reason] of Object.entries(reasons)) {
			const credential = { ...service.credential, baseUrl: address.replace('http:', 'https:') };
			const { error } = await runOn({ ...service, credential }, { operation, ...parameters });
			expect(error?.message).toBe(`Could not reach ${new URL(address).host}`);
			expect(error?.description).toContain(reason);
			expect(error?.description).not.toContain('anyway');
			expect(error?.context.mayHaveArrived).toBeUndefined();
			const certainty = { start: 'The task was not started.', stop: 'The task was not stopped.' };
			for (const [endpoint, text] of Object.entries(certainty)) {
				expect(error?.description.includes(text)).toBe(endpoint === fails);
			}
		}
		silent.close();
		expect(service.requests).toEqual([]);
	});

	test('a host whose certificate is not trusted has not got the request', async () => {
		const host = await startUntrustedHost();
		const credential = { ...service.credential, baseUrl: host.baseUrl };
		const { error } = await runOn({ ...service, credential }, { operation, ...parameters });
		await host.stop();
		expect(error?.message).toBe(`Could not reach ${new URL(host.baseUrl).host}`);
		expect(error?.description).toContain('The certificate of the host is not trusted.');
		expect(error?.description).toContain('NODE_EXTRA_CA_CERTS');
		expect(error?.description).not.toContain('Tried');
		expect(error?.description).not.toContain('base URL');
		expect(error?.context.mayHaveArrived).toBeUndefined();
		expect(host.requests()).toBe(0);
	});

	test('a host name that does not exist: Retry On Fail begins anew', async () => {
		const credential = { ...service.credential, baseUrl: 'http://no-such-host.invalid' };
		const settings = { ...retryOnFail, maxTries: 2 };
		const { error } = await runOn(
			{ ...service, credential },
			{ operation, ...parameters },
			{ settings },
		);
		expect(error?.message).toBe('Could not reach no-such-host.invalid');
		expect(error?.description).toMatch(/\((ENOTFOUND|EAI_AGAIN)\)/);
	});

	test('a connection that is cut: only reading is tried again', async () => {
		service.script(fails, reset);
		const { error } = await run();
		expect(error).toMatchObject({
			message: `Could not reach ${new URL(service.baseUrl).host}`,
			context: { requestId: lastRequestId() },
		});
		expect(error?.description).toContain(`Request ID: ${lastRequestId()}`);
		expect(service.sentTo(fails)).toHaveLength(isGet(operation) ? 4 : 1);
	});
});

describe('reading goes on after a fault', () => {
	test.each([
		['HTTP 408', { status: 408, headers: { 'retry-after': '0' } }],
		['HTTP 429', { status: 429, headers: { 'retry-after': '0' } }],
		['HTTP 503', { status: 503, headers: { 'retry-after': '0' } }],
		['an error code with HTTP 500', { ...refusal(9000002, ''), status: 500 }],
		['a cut connection', reset],
	])('%s', async (_kind, answer) => {
		const service = await startScriptedService();
		service.addBatch({ rows: ['{"a":1}'] });
		service.script('batches', answer, { times: 1 });
		service.script('data', answer, { times: 1 });
		const { rows, error } = await runOn(service, { operation: 'getData' });
		await service.stop();
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ a: 1 }]);
		expect(service.requests).toHaveLength(4);
	});
});
