import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { fastClock } from '../../support/engine/fastClock';
import { logLine } from '../../support/engine/n8nLog';
import { runNode, runOn, startNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal, success } from '../../support/scriptedService/scriptedAnswers';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import { settings as asTool } from './agentTool';
import { retryOnFail } from './retryOnFail';

/** Whoever does not know of a run that was paid for starts it again. */
describe('runs that were started and do not come out', () => {
	const service = useScriptedService();
	let clock: ReturnType<typeof fastClock>;

	beforeEach(() => {
		clock = fastClock({ shortTimeOuts: false });
	});

	afterEach(() => {
		clock.restore();
	});

	const named = (batches: string) =>
		`Started, but not in the output: batch ${batches} of task ${service.taskID}. Get Data reads them by ID: do not start them again.`;

	const tasks = (...ids: string[]) => ids.map((task) => ({ task }));

	const start = { operation: 'start', taskId: '={{ $json.task }}' };

	/** A run has ended when somebody asks for it. */
	const endWhenAsked = () =>
		service.script('batches', () => {
			for (const batch of service.batches) Object.assign(batch, { status: 3, rows: ['{"n":1}'] });
			return undefined;
		});

	test.each<[string, object]>([
		['', {}],
		[', also after Retry On Fail', retryOnFail],
	])('are named where a later start fails%s', async (_how, settings) => {
		const { taskID } = service;
		const { error } = await runNode({
			parameters: start,
			credential: service.credential,
			input: tasks(taskID, taskID, taskID, 'none', taskID),
			settings,
		});
		expect(error?.message).toBe('Task or batch not found');
		expect(error?.description).toContain(named('1001, 1002, 1003'));
	});

	test('are named also where their ID is a number that the error happens to say', async () => {
		service.script('start', refusal(9000004, 'HTTP 404'), { skip: 1 });
		service.script(
			({ body }) => body.taskID === service.taskID,
			() => success(onTheWire(service.addBatch({ batchID: 404, status: 1 }))),
		);
		const { error } = await runNode({
			parameters: start,
			credential: service.credential,
			input: tasks(service.taskID, 'none'),
		});
		expect(error?.description).toContain(named('404'));
	});

	test('are named where a later run cannot be read', async () => {
		endWhenAsked();
		service.script('data', refusal(9000004, 'gone'), { skip: 2 });
		const parameters: INodeParameters = {
			operation: 'runAndGetData',
			options: { pollInterval: 1 },
		};
		const { error } = await runOn(service, parameters, { input: [{}, {}, {}] });
		expect(error?.description).toContain(
			'Batch 1003 has ended and is paid for: get its rows with Get Data',
		);
		expect(error?.description).toContain(named('1001, 1002'));
	});

	test('are not named once their rows have come out', async () => {
		const { taskID } = service;
		const { rows } = await runNode({
			parameters: start,
			credential: service.credential,
			input: tasks(taskID, 'none', taskID),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(rows).toHaveLength(3);
		expect(JSON.stringify(rows)).not.toContain('Started, but');
	});

	test('are named in the log when the execution is cancelled', async () => {
		service.script('start', async () => {
			await wait(50);
			return undefined;
		});
		const { run } = startNode({
			parameters: { ...start, taskId: service.taskID },
			credential: service.credential,
			input: Array.from({ length: 20 }, () => ({})),
		});
		while (service.sentTo('start').length < 7) await wait(5);
		run.cancel();
		await run.catch(() => {});
		await wait(200);
		const line = await logLine('The execution was cancelled. Started, but not in the output');
		for (const { batchID } of service.batches) expect(line).toContain(String(batchID));
		expect(service.batches).toHaveLength(7);
	});

	describe('by an AI agent', () => {
		test('are named in the message, which is all that a model reads', async () => {
			service.script('data', refusal(9000004, 'the rows are gone'));
			endWhenAsked();
			const parameters = { operation: 'runAndGetData', options: { pollInterval: 1 } };
			const { error } = await runOn(service, parameters, { settings: asTool });
			expect(error?.message).toContain('Task or batch not found');
			expect(error?.message).toContain(
				'Batch 1001 has ended and is paid for: get its rows with Get Data (Batch: Specific Batch, By ID: 1001) instead of starting the task again.',
			);
			expect(error?.message).toContain('The service says: the rows are gone');
		});

		test('are not started again: the message says that a start may have arrived', async () => {
			service.script('start', { broken: 'reset' });
			const { error } = await runOn(service, { operation: 'start' }, { settings: asTool });
			expect(error?.message).toMatch(/^Could not reach 127\.0\.0\.1/);
			expect(error?.message).toContain('The task may have been started anyway.');
			expect(error?.message).toContain('before you start it again');
			expect(error?.message).not.toContain('ECONNRESET');
		});

		test('are not started again by Retry On Fail: the message repeats why', async () => {
			service.script('start', { broken: 'reset' });
			const settings = { ...asTool, ...retryOnFail };
			const { error } = await runOn(service, { operation: 'start' }, { settings });
			expect(error?.message).toMatch(/^The task is not started again in this execution/);
			expect(error?.message).toContain('Could not reach 127.0.0.1');
			expect(error?.message).toContain('Check List Batches');
			expect(service.sentTo('start')).toHaveLength(1);
		});

		test('may go on when they are no longer watched: the message says that', async () => {
			service.script('batches', refusal(9000002, 'not now'));
			const parameters = {
				operation: 'runAndGetData',
				timeout: 10,
				options: { pollInterval: 1, stopAtRows: 3 },
			};
			const { error } = await runOn(service, parameters, { settings: asTool });
			expect(error?.message).toContain('Batch 1001 was started; whether it is still running');
			expect(error?.message).toContain("No longer watched: 'Stop at Rows' (3).");
			expect(error?.message).toContain('The service says: not now');
		});
	});
});
