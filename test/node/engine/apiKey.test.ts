import { wholeLog } from '../../support/engine/n8nLog';
import type { NodeResult } from '../../support/engine/runNode';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { html, refusal, success } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';

describe('the API key', () => {
	const service = useScriptedService(() => ({ apiKey: 'sk-very-secret-1234' }));
	const elsewhere = useScriptedService();

	beforeEach(() => {
		service.addBatch({ rows: ['{"a":1}'] });
	});

	const operations = ['start', 'stop', 'listBatches', 'getData'];

	/** All that n8n keeps or shows of an execution. */
	const traces = async ({ run, items, error, hints }: NodeResult) => ({
		run: JSON.stringify(run),
		items: JSON.stringify(items),
		error: JSON.stringify(error),
		hints: JSON.stringify(hints),
		log: await wholeLog(),
	});

	const expectNoKey = async (result: NodeResult) => {
		const all = await traces(result);
		expect(all.log).toContain('Workflow execution started');
		for (const trace of Object.values(all)) {
			expect(trace ?? '').not.toContain('sk-very-secret-1234');
		}
	};

	test('is sent as a bearer token', async () => {
		await runOn(service, { operation: 'getData' });
		for (const { headers } of service.requests) {
			expect(headers.authorization).toBe('Bearer sk-very-secret-1234');
		}
	});

	test.each(operations)('is in no trace of a run that goes well (%s)', async (operation) => {
		service.addBatch({ status: operation === 'stop' ? 2 : 3 });
		await expectNoKey(await runOn(service, { operation }));
	});

	const echo = 'you sent Bearer sk-very-secret-1234';
	const echoes = [
		refusal(9000002, echo),
		refusal(9000003, echo),
		html(200, echo),
		{ ...html(502, echo), headers: { 'retry-after': '0' } },
		{ status: 302, headers: { location: `http://127.0.0.1/?key=${echo}` } },
	];

	test.each(operations.flatMap((operation) => echoes.map((answer) => ({ operation, answer }))))(
		'is in no trace of a service that repeats it ($operation: $answer)',
		async ({ operation, answer }) => {
			service.script('all', answer);
			const result = await runOn(service, { operation });
			expect(result.error).toBeDefined();
			await expectNoKey(result);
		},
	);

	test('is in no trace of a page or a row that repeats it escaped, or where texts are cut', async () => {
		const credential = { ...service.credential, apiKey: 'sk-long+secret/value==' };
		for (const spelled of [
			'sk-long+secret/value==',
			'sk-long+secret\\/value==',
			'sk-long%2Bsecret%2Fvalue%3D%3D',
			'sk-long&#43;secret&#x2F;value&#61;&#61;',
		]) {
			for (const before of [0, 80, 150]) {
				const text = `${'x'.repeat(before)} ${spelled}`;
				service.script('batches', html(200, text), { times: 1 });
				const page = await runOn({ ...service, credential }, { operation: 'getData' });
				service.script(
					'batches',
					success({ list: [{ batchID: 7, status: 3 }], pagination: { total: 1 } }),
					{ times: 1 },
				);
				service.script('data', success({ list: [text], pagination: { total: 1 } }), { times: 1 });
				const row = await runOn({ ...service, credential }, { operation: 'getData' });
				expect(page.error?.message).toContain('not as a Cloud Scraping service');
				expect(row.error?.message).toContain('is not a JSON object');
				for (const result of [page, row]) {
					for (const trace of Object.values(await traces(result))) {
						expect(trace ?? '').not.toContain('sk-long');
					}
				}
			}
		}
	});

	test.each(operations)('is in no item of a failure that is continued (%s)', async (operation) => {
		service.script('all', refusal(9000002, 'sk-very-secret-1234'));
		await expectNoKey(await runOn(service, { operation }, { settings: { continueOnFail: true } }));
	});

	test.each([301, 302, 303, 307, 308])('does not follow a redirect (HTTP %i)', async (status) => {
		const location = `${elsewhere.baseUrl}/cloud/batches`;
		for (const operation of operations) {
			service.script('all', { status, headers: { location } });
			const result = await runOn(service, { operation });
			expect(result.error?.message).toBe(
				'The address answered, but not as a Cloud Scraping service',
			);
			expect(result.error?.description).toContain(`redirect to ${location}`);
		}
		expect(elsewhere.requests).toEqual([]);
		expect(service.requests).toHaveLength(operations.length);
	});

	test('is not sent twice when it is rejected', async () => {
		service.script('start', refusal(9000003, 'unauthorized', 401));
		const { error } = await runOn(service, { operation: 'start' });
		expect(error?.message).toBe('API key rejected');
		expect(service.requests).toHaveLength(1);
	});

	test('a wrong one is rejected by the service', async () => {
		const credential = { ...service.credential, apiKey: 'wrong' };
		const { error } = await runOn({ ...service, credential }, { operation: 'listBatches' });
		expect(error).toMatchObject({ message: 'API key rejected', httpCode: '401' });
	});
});

describe('the base URL', () => {
	test.each(['', '/', '/api/v2', '/api/v2/'])('may end in "%s"', async (end) => {
		const service = await startScriptedService();
		service.script('all', ({ path }) => success({ batchID: 7, status: 4, taskID: path }));
		service.script(
			({ path }) => path === '/api/v2/cloud/stop',
			success({ batchID: 7, status: 4, taskID: 'below a path' }),
		);
		const credential = { ...service.credential, baseUrl: service.baseUrl + end };
		await runOn({ ...service, credential }, { operation: 'stop' });
		await service.stop();
		const path = `${end.replace(/\/$/, '')}/cloud/stop`;
		expect(service.requests.map((request) => request.path)).toEqual([path]);
	});
});
