import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';

import { runNode, runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import { cut, html, refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import { closedPort, startScriptedService } from '../../support/scriptedService/scriptedService';
import { asStarted, onTheWire } from '../../support/scriptedService/scriptedStore';
import { retryOnFail } from './retryOnFail';

describe('a task is started once', () => {
	const service = useScriptedService();

	const doubtful: Array<[string, Answer]> = [
		['a connection cut before any answer', reset],
		['a connection cut within the answer', cut(success({ batchID: 1, status: 1 }))],
		['a web page with HTTP 502', html(502, 'Bad gateway')],
		['HTTP 500 with an error code', refusal(9000002, 'internal error', 500)],
		['an error code that the specification does not list', refusal(9999999, 'timed out')],
		['HTTP 408 with an error code', refusal(9000002, 'timed out', 408)],
		['success without a batch', success(null)],
		['success with a batch that has no ID', success({ status: 1 })],
		['HTTP 408', { status: 408 }],
		['HTTP 429 with code 0', { ...success(null), status: 429 }],
		['HTTP 401 with code 0', { ...success(null), status: 401 }],
		['a web page with HTTP 401', html(401, 'Sign in')],
		['a web page with HTTP 403', html(403, 'Blocked by the firewall')],
		['HTTP 403 without a body', { status: 403 }],
		['HTTP 401 with JSON of somebody else', { status: 401, body: '{"error":"denied"}' }],
	];

	test.each([300, 400, 401, 403, 404, 408, 409, 429, 500, 502, 503])(
		'and known to be when its batch comes with HTTP %i',
		async (status) => {
			service.addBatch({ status: 2 });
			service.script(
				({ method }) => method === 'POST',
				({ endpoint }) => ({ ...success({ batchID: endpoint === 'start' ? 7 : 8 }), status }),
			);
			const started = await runOn(service, { operation: 'start' }, { settings: retryOnFail });
			expect(started.rows).toEqual([expect.objectContaining({ batchID: 7 })]);
			expect(service.sentTo('start')).toHaveLength(1);
			const stopped = await runOn(service, { operation: 'stop' }, { settings: retryOnFail });
			expect(stopped.rows).toEqual([expect.objectContaining({ batchID: 8 })]);
			expect(service.sentTo('stop')).toHaveLength(1);
		},
	);

	test.each(doubtful)('when it is in doubt: %s', async (_kind, answer) => {
		service.script('start', answer);
		const { error, rows } = await runOn(service, { operation: 'start' });
		expect(rows).toEqual([]);
		expect(error?.name).toBe('NodeApiError');
		expect(error?.description).toContain('The task may have been started anyway');
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test.each(doubtful)('also with Retry On Fail: %s', async (_kind, answer) => {
		service.script('start', answer);
		const { error } = await runOn(service, { operation: 'start' }, { settings: retryOnFail });
		expect(error?.message).toBe(
			'The task is not started again in this execution, because it may already have been started',
		);
		expect(error?.description).toContain('The task may have been started anyway');
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test.each([401, 403])(
		'and stopped once, where something on the way keeps back both answers with HTTP %i',
		async (status) => {
			const running = service.addBatch({ status: 2 });
			service.script('stop', () => {
				Object.assign(running, { status: 4 });
				service.addBatch({ status: 2 });
				return html(status, 'Blocked');
			});
			const { error } = await runOn(service, { operation: 'stop' }, { settings: retryOnFail });
			expect(error?.message).toBe(
				'The task is not stopped again in this execution, because it may already have been stopped',
			);
			expect(error?.description).toContain('The task may have been stopped anyway');
			expect(error?.description).toContain('Then check its API key.');
			expect(service.batches.map((batch) => batch.status)).toEqual([4, 2]);
		},
	);

	test('but started anew where the service itself rejects the key', async () => {
		service.script('start', refusal(9000003, 'unauthorized', 401), { times: 1 });
		const { rows } = await runOn(service, { operation: 'start' }, { settings: retryOnFail });
		expect(service.sentTo('start')).toHaveLength(2);
		expect(rows).toEqual([expect.objectContaining({ batchID: 1001 })]);
	});

	test.each([
		['', {}],
		[' with Retry On Fail', retryOnFail],
	])('each time that the node runs in an execution, as in a loop%s', async (_how, settings) => {
		const { rows } = await runOn(service, { operation: 'start' }, { settings, runs: 2 });
		expect(service.sentTo('start')).toHaveLength(2);
		expect(rows).toEqual([expect.objectContaining({ batchID: 1002 })]);
	});

	test('what is known of the request in doubt stays with Retry On Fail', async () => {
		service.script('start', refusal(9000002, 'internal error', 500));
		const settings = { ...retryOnFail, onError: 'continueRegularOutput' } as const;
		const { rows } = await runOn(service, { operation: 'start' }, { settings });
		expect(rows).toEqual([
			{
				error: expect.stringContaining('The task is not started again') as string,
				description: expect.stringContaining('The service says: internal error') as string,
				code: 9000002,
				requestId: service.sentTo('start')[0].headers['x-cp-request-id'],
			},
		]);
		expect(rows[0].description).not.toContain('try again');
	});

	test.each<[string, Answer]>([
		['a page with HTTP 404', html(404, 'Not found')],
		['a page with HTTP 407', html(407, 'Proxy login')],
		[
			'a redirect',
			{ status: 301, headers: { location: 'https://new.example.com/api/cloud/start' } },
		],
	])(
		'nothing is in doubt after %s: Retry On Fail starts what was not started',
		async (_kind, answer) => {
			service.script('start', answer);
			const { error } = await runOn(service, { operation: 'start' });
			expect(error?.message).toBe('The address answered, but not as a Cloud Scraping service');
			expect(error?.description).toContain('The task was not started.');
			expect(error?.description).not.toContain('may have been');
			const isRedirect = 'status' in answer && answer.status === 301;
			const advice = 'Set the base URL of the credential to https://new.example.com/api,';
			expect(error?.description.includes(advice)).toBe(isRedirect);

			const late = await startScriptedService();
			late.script('start', answer, { times: 1 });
			const { rows } = await runOn(late, { operation: 'start' }, { settings: retryOnFail });
			await late.stop();
			expect(rows).toHaveLength(1);
			expect(late.sentTo('start')).toHaveLength(2);
		},
	);

	test('a redirect without a host names the whole base URL to use', async () => {
		const headers = { location: '/v2/cloud/start' };
		service.script('start', { status: 307, headers });
		const { error } = await runOn(service, { operation: 'start' });
		expect(error?.description).toContain(
			`Set the base URL of the credential to ${service.baseUrl}/v2, if you trust that address.`,
		);
	});

	test('a redirect that leads to itself names no other base URL', async () => {
		service.script('start', { status: 307, headers: { location: '/cloud/start?again=1' } });
		const { error } = await runOn(service, { operation: 'start' });
		expect(error?.description).toContain('redirect to /cloud/start');
		expect(error?.description).not.toContain('Set the base URL');
	});

	test('"303 See Other" comes after a POST that was carried out: Retry On Fail starts nothing', async () => {
		service.script('start', { status: 303, headers: { location: '/cloud/batches' } });
		const { error } = await runOn(service, { operation: 'start' }, { settings: retryOnFail });
		expect(error?.description).toContain('The task may have been started anyway');
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test.each([
		['of another item', { input: [{}, {}] }],
		['of an earlier turn of a loop', { runs: 2 }],
	])('a batch %s does not come out twice', async (_whose, setup) => {
		const batch = asStarted(service.addBatch({ rows: ['{"n":1}'] }));
		service.script('start', success(batch));
		const parameters = { operation: 'runAndGetData', options: { pollInterval: 1 } };
		const { error, rows } = await runOn(service, parameters, setup);
		expect(rows).toEqual([]);
		expect(error?.message).toBe('The service answered the start with batch 1001, which is not new');
		expect(error?.description).toContain('This execution already got it from an earlier start.');
	});

	test('a refusal is no doubt: Retry On Fail starts what was not started', async () => {
		service.script('start', refusal(9000002, 'no agent is idle'), { times: 1 });
		const { rows } = await runOn(service, { operation: 'start' }, { settings: retryOnFail });
		expect(rows).toHaveLength(1);
		expect(service.sentTo('start')).toHaveLength(2);
	});

	test('Retry On Fail for a later item keeps the runs of the earlier ones', async () => {
		const isLost = ({ body }: { body: Record<string, unknown> }) => body.taskID === 'lost';
		service.script(isLost, refusal(9000004, 'no such task'));
		const { error } = await runNode({
			parameters: { operation: 'start', taskId: '={{ $json.task }}' },
			credential: service.credential,
			input: [{ task: service.taskID }, { task: service.taskID }, { task: 'lost' }],
			settings: retryOnFail,
		});
		expect(error?.context.itemIndex).toBe(2);
		const started = service.sentTo('start').map(({ body }) => body.taskID);
		expect(started).toEqual([service.taskID, service.taskID, 'lost', 'lost', 'lost']);
	});

	test('Retry On Fail because of a key named "error" returns the same batch', async () => {
		service.script('start', ({ body }) => {
			const batch = service.addBatch({ taskID: String(body.taskID), status: 1 });
			return success({ ...onTheWire(batch), error: 'no proxy' });
		});
		const { rows } = await runOn(service, { operation: 'start' }, { settings: retryOnFail });
		expect(rows).toEqual([expect.objectContaining({ batchID: service.batches[0].batchID })]);
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test('each input item starts a run of its own, one after the other', async () => {
		const { rows } = await runOn(service, { operation: 'start' }, { input: [{}, {}, {}] });
		expect(rows.map(({ batchID }) => batchID)).toEqual([1001, 1002, 1003]);
		expect(service.mostAtOnce()).toBe(1);
	});

	test('it is sent again after HTTP 429', async () => {
		service.script('start', { status: 429, headers: { 'retry-after': '0' } }, { times: 2 });
		const { rows } = await runOn(service, { operation: 'start' });
		expect(rows).toHaveLength(1);
		expect(service.sentTo('start')).toHaveLength(3);
		expect(service.batches).toHaveLength(1);
	});

	test('it is sent again after a refused connection', async () => {
		// The longest jitter: tries after 0.5, 1.5 and 3.5 seconds, so that the service is up in time.
		const random = vi.spyOn(Math, 'random').mockReturnValue(1);
		const baseUrl = await closedPort();
		const run = runNode({
			parameters: { operation: 'start', taskId: service.taskID },
			credential: { ...service.credential, baseUrl },
		});
		await wait(200);
		const port = Number(new URL(baseUrl).port);
		const late = await startScriptedService({ port, taskIDs: [service.taskID] });
		const { rows, error } = await run;
		random.mockRestore();
		await late.stop();
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(1);
		expect(late.sentTo('start')).toHaveLength(1);
	});

	test('a stop is not sent twice by Retry On Fail, which would hit the run that began meanwhile', async () => {
		service.addBatch({ status: 2 });
		service.script('stop', () => {
			Object.assign(service.batches[0], { status: 4, endTime: 5 });
			service.addBatch({ status: 2 });
			return reset;
		});
		const { error } = await runOn(service, { operation: 'stop' }, { settings: retryOnFail });
		expect(error?.message).toBe(
			'The task is not stopped again in this execution, because it may already have been stopped',
		);
		expect(error?.description).toContain('The task may have been stopped anyway');
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(service.batches.map(({ status }) => status)).toEqual([4, 2]);
	});

	test('a stop that is accepted without a batch is done', async () => {
		service.script('stop', success(null));
		const { error, rows, hints } = await runOn(service, { operation: 'stop' });
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ taskID: service.taskID, statusName: 'unknown' }]);
		expect(hints).toEqual([
			`The service accepted the stop of task ${service.taskID}, but did not say which batch it stopped.`,
		]);
	});

	test('a stop that was refused is sent again by Retry On Fail', async () => {
		service.addBatch({ status: 2 });
		service.script('stop', refusal(9000002, 'not now'), { times: 1 });
		const { error } = await runOn(service, { operation: 'stop' }, { settings: retryOnFail });
		expect(error).toBeUndefined();
		expect(service.sentTo('stop')).toHaveLength(2);
	});

	test('a stop is not sent twice either', async () => {
		service.addBatch({ status: 2 });
		service.script('stop', reset);
		const { error } = await runOn(service, { operation: 'stop' });
		expect(error?.description).toContain('The task may have been stopped anyway');
		expect(service.sentTo('stop')).toHaveLength(1);
	});
});
