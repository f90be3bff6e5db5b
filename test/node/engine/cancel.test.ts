import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { logLine } from '../../support/engine/n8nLog';
import { startNode } from '../../support/engine/runNode';
import { shiftedClock } from '../../support/engine/shiftedClock';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import type { Endpoint } from '../../support/scriptedService/scriptedService';
import { asStarted, onTheWire } from '../../support/scriptedService/scriptedStore';

describe('a cancelled execution', () => {
	const service = useScriptedService();
	let ended: Promise<void>;
	let tellEnd: () => void;

	beforeEach(() => {
		ended = new Promise((resolve) => (tellEnd = resolve));
	});

	/**
	 * Runs the node, cancels the execution as soon as the service has seen `requests` requests to
	 * `endpoint`, and returns how it ended and what was asked for afterwards: where no poll is among
	 * that, and answers are held until the execution has ended, it has waited for nothing. `atLeast`: so many requests are
	 * waited for, however busy this machine is.
	 */
	const cancelAfter = async (
		endpoint: Endpoint,
		requests: number,
		parameters: INodeParameters,
		atLeast = 0,
	) => {
		const { run } = startNode({
			parameters: { taskId: service.taskID, ...parameters },
			credential: service.credential,
		});
		while (service.sentTo(endpoint).length < requests) await wait(5);
		await wait(50);
		const before = service.requests.length;
		run.cancel();
		const { status } = await run.catch(() => ({ status: 'canceled' }));
		tellEnd();
		while (service.requests.length < before + atLeast) await wait(5);
		for (let seen = -1; seen < service.requests.length; await wait(300)) {
			seen = service.requests.length;
		}
		const after = service.requests.slice(before).map((request) => request.endpoint);
		return { status, after };
	};

	const runAndGetData = (options: INodeParameters = {}) => ({
		operation: 'runAndGetData',
		returnAll: true,
		options: { pollInterval: 2, ...options },
	});

	/** Answers nothing there before the execution has ended. */
	const hold = (endpoint: Endpoint, which: { skip?: number; times?: number } = {}) => {
		const answer = async () => {
			await ended;
			return undefined;
		};
		service.script(endpoint, answer, which);
	};

	test('ends at once while it waits for the run, and stops the task', async () => {
		const { status, after } = await cancelAfter('start', 1, runAndGetData(), 3);
		expect(status).toBe('canceled');
		expect(after).toEqual(['batches', 'stop', 'batches']);
		expect(service.batches[0].status).toBe(4);
	});

	test('looks whether the stop was carried out, and says in the log when it was not', async () => {
		service.script('stop', () =>
			success(onTheWire({ ...service.batches[0], status: 4, endTime: 5 })),
		);
		const ends = () => {
			Object.assign(service.batches[0], { status: 4, endTime: 5 });
			return undefined;
		};
		service.script('batches', ends, { skip: 2 });
		const { after } = await cancelAfter('start', 1, runAndGetData(), 3);
		expect(after.slice(0, 3)).toEqual(['batches', 'stop', 'batches']);
		const line = await logLine('the service has accepted a stop, but has not ended it yet');
		expect(line).toContain('Batch 1001 of task');
	});

	test('leaves the task alone where that is wanted', async () => {
		const parameters = runAndGetData({ stopOnCancel: false });
		const { after } = await cancelAfter('start', 1, parameters);
		expect(after).toEqual([]);
		expect(service.batches[0].status).toBe(1);
	});

	test('ends at once while a poll is not answered, and stops the task', async () => {
		hold('batches', { times: 1 });
		const parameters = runAndGetData({ pollInterval: 1 });
		const { after } = await cancelAfter('batches', 1, parameters, 3);
		expect(after).toEqual(['batches', 'stop', 'batches']);
	});

	test('stops a task whose start is answered only afterwards', async () => {
		hold('start');
		const { after } = await cancelAfter('start', 1, runAndGetData(), 3);
		expect(after).toEqual(['batches', 'stop', 'batches']);
		expect(service.batches.map(({ status }) => status)).toEqual([4]);
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test('stops nothing when no answer to the start says which batch is ours, and says so', async () => {
		service.script('start', async () => {
			await ended;
			service.addBatch({ status: 2 });
			return reset;
		});
		const { after } = await cancelAfter('start', 1, runAndGetData());
		expect(after).toEqual([]);
		expect(service.batches.map(({ status }) => status)).toEqual([2]);
		expect(await logLine('may have been started, but the service did not say which')).toBeDefined();
	});

	test('stops no task whose start was refused', async () => {
		service.script('start', async () => {
			await ended;
			return refusal(9000002, 'no agent is idle');
		});
		const { after } = await cancelAfter('start', 1, runAndGetData());
		expect(after).toEqual([]);
	});

	test.each(['start', 'runAndGetData'])('starts nothing any more (%s)', async (operation) => {
		service.script('start', { status: 429, headers: { 'retry-after': '1' } }, { times: 1 });
		const parameters = { ...runAndGetData({ stopOnCancel: false }), operation };
		const { status } = await cancelAfter('start', 1, parameters);
		await wait(1_500);
		expect(status).toBe('canceled');
		expect(service.sentTo('start')).toHaveLength(1);
		expect(service.batches).toEqual([]);
	});

	test('ends at once when the service does not answer the stop', async () => {
		hold('stop');
		const { after } = await cancelAfter('start', 1, runAndGetData(), 3);
		// The stop outlives the execution: it is over when the list says that the run has ended.
		expect(after).toEqual(['batches', 'stop', 'batches']);
		expect(service.batches[0].status).toBe(4);
	});

	test('does not stop a run that has ended: it asks for nothing any more', async () => {
		service.script('start', () => {
			const rows = Array.from({ length: 100 }, (_row, n) => `{"n":${n}}`);
			return success(asStarted(service.addBatch({ rows })));
		});
		hold('data', { skip: 1 });
		const parameters = runAndGetData({ pageSize: 5, concurrency: 2 });
		const { after } = await cancelAfter('data', 2, parameters);
		expect(after).toEqual([]);
	});

	test('stops a run that goes on while its rows so far are read', async () => {
		const clock = shiftedClock();
		const rows = Array.from({ length: 100 }, (_row, n) => `{"n":${n}}`);
		service.script('start', () => {
			const batch = service.addBatch({ status: 2, endTime: 0, rows });
			return success(asStarted(batch));
		});
		const timePasses = () => {
			clock.pass(60);
			return undefined;
		};
		service.script('batches', timePasses, { times: 1 });
		hold('data');
		const parameters = runAndGetData({ onTimeout: 'return', pollInterval: 1, pageSize: 5 });
		const { after } = await cancelAfter('data', 1, parameters, 3);
		clock.restore();
		expect(after).toEqual(['batches', 'stop', 'batches']);
	});

	test.each<[string, Endpoint, INodeParameters]>([
		['List Batches', 'batches', { operation: 'listBatches', returnAll: true }],
		['Get Data', 'data', { operation: 'getData', returnAll: true, options: { pageSize: 2 } }],
		[
			'Get Data into a file',
			'data',
			{ operation: 'getData', returnAll: true, output: 'file', options: { pageSize: 2 } },
		],
		[
			'Get Data without duplicates',
			'data',
			{
				operation: 'getData',
				returnAll: true,
				options: { pageSize: 2, deduplication: 'service', deduplicationId: 'd' },
			},
		],
	])('ends at once in %s, and asks for nothing any more', async (_name, endpoint, parameters) => {
		service.addBatch({ rows: Array.from({ length: 40 }, (_row, n) => `{"n":${n}}`) });
		hold(endpoint);
		const { after } = await cancelAfter(endpoint, 1, parameters);
		expect(after).toEqual([]);
	});

	test('is not taken for a failure that may be continued', async () => {
		const { run } = startNode({
			parameters: { ...runAndGetData(), taskId: '={{ $json.task }}' },
			credential: service.credential,
			input: [{ task: service.taskID }, { task: service.taskID }],
			settings: { onError: 'continueRegularOutput' },
		});
		while (service.sentTo('start').length < 1) await wait(5);
		run.cancel();
		await run.catch(() => {});
		await wait(300);
		expect(service.sentTo('start')).toHaveLength(1);
	});
});
