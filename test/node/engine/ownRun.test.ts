import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { logLine } from '../../support/engine/n8nLog';
import type { NodeSetup } from '../../support/engine/engineWorkflow';
import { runOn, startNode } from '../../support/engine/runNode';
import type { NodeFailure } from '../../support/engine/runNode';
import { page, refusal, success } from '../../support/scriptedService/scriptedAnswers';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import { goOn } from './budgetedRun';
import { useOutlivingStops } from './outlivingStops';
import { retryOnFail } from './retryOnFail';

describe('a run of someone else', () => {
	const { service, clock } = useOutlivingStops();

	const parameters = (options: INodeParameters = {}): INodeParameters => ({
		taskId: service.taskID,
		operation: 'runAndGetData',
		timeout: 1,
		options: { pollInterval: 2, ...options },
	});

	const start = async () => {
		const before = service.batches.length;
		const started = startNode({ parameters: parameters(), credential: service.credential });
		while (service.batches.length === before) await wait(5);
		return started;
	};

	const cancel = async ({ run }: ReturnType<typeof startNode>, before = () => {}) => {
		await wait(50);
		before();
		run.cancel();
		await run.catch(() => {});
		await wait(300);
	};

	const statuses = () => service.batches.map(({ status }) => status);

	test('lives when an execution with another run of the task is cancelled', async () => {
		const first = await start();
		const second = await start();
		await cancel(first);
		expect(service.sentTo('stop')).toEqual([]);
		expect(statuses()).toEqual([1, 1]);
		const line = await logLine('Batch 1001 of task');
		expect(line).toContain('is not stopped yet: batch 1002 of the task is waiting, too');

		Object.assign(service.batches[0], { status: 3, endTime: Date.now() });
		await cancel(second);
		expect(statuses()).toEqual([3, 4]);
	});

	test('lives also where it stands far back in the list', async () => {
		service.addBatch({ status: 2 });
		for (let n = 0; n < 1_200; n++) service.addBatch();
		await cancel(await start());
		expect(service.sentTo('stop')).toEqual([]);
		expect(service.batches[0].status).toBe(2);
	});

	test('lives when our own run has ended before the cancel', async () => {
		const execution = await start();
		Object.assign(service.batches[0], { status: 3, endTime: Date.now() });
		service.addBatch({ status: 2 });
		await cancel(execution);
		expect(service.sentTo('stop')).toEqual([]);
	});

	test.each<[string, () => void, string]>([
		[
			'the batches cannot be listed',
			() => service.script('batches', refusal(9000003, 'key revoked')),
			'is still running. It was not stopped: the batches of the task could not be listed (API key rejected)',
		],
		[
			'our own run is not listed',
			() => service.batches.splice(0, 1),
			'is still running. It was not stopped: the service does not list it',
		],
		[
			'more is counted than listed',
			() => service.script('batches', () => page(service.batches.map(onTheWire), { total: 2 })),
			'is not stopped yet: the service counts 2 batches of the task, but lists 1',
		],
	])('may run: nothing is stopped when %s', async (_when, change, why) => {
		const execution = await start();
		await cancel(execution, change);
		expect(service.sentTo('stop')).toEqual([]);
		expect(await logLine(why)).toBeDefined();
	});

	test('is no reason to be silent when the stop fails after a cancel', async () => {
		service.script('stop', refusal(9000002, 'not now'));
		await cancel(await start());
		expect(statuses()).toEqual([1]);
		const line = await logLine('It was not stopped: the stop failed');
		expect(line).toContain('the stop failed (The service refused the request)');
		expect(line).toContain('not now');
	});

	test('is safe from a key that is turned away twice: nothing is tried any more', async () => {
		service.script('stop', () => {
			service.script('batches', refusal(9000003, 'key revoked'));
			return refusal(9000002, 'not any more');
		});
		await cancel(await start());
		expect(await logLine('could not be listed (API key rejected)')).toContain('is still running.');
		// A request of the execution itself, which was under way, may come late.
		await wait(500);
		const sent = [...service.requests];
		await wait(2_000);
		expect(service.requests).toEqual(sent);
	});

	describe('when the time is up', () => {
		/** Runs the node; at its first poll the time is up, and `meanwhile` has happened. */
		const runOut = async (
			meanwhile: () => void,
			settings: NodeSetup['settings'] = {},
			input: NodeSetup['input'] = [{}],
		) => {
			const timeIsUp = () => {
				const [batch] = service.batches.slice(-1);
				Object.assign(batch, { status: 2, rows: ['{"n":"so far"}'] });
				meanwhile();
				clock.passMinutes(3);
				return undefined;
			};
			service.script('batches', timeIsUp, { times: 1 });
			const options = { onTimeout: 'stopAndReturn', pollInterval: 1 };
			const setup = { settings, input };
			return await runOn(service, { ...parameters(options), timeout: 3 }, setup);
		};

		test('lives, and that nothing was stopped in five minutes is an error', async () => {
			const { error } = await runOut(() => service.addBatch({ status: 1 }));
			expect(service.sentTo('stop')).toEqual([]);
			expect(statuses()).toEqual([2, 1]);
			expect(error?.message).toBe(
				`Batch 1001 of task ${service.taskID} could not be stopped after 3 minutes, and is still running`,
			);
			expect(error?.description).toContain(
				'It was not stopped: batch 1002 of the task is waiting, too, and a stop could hit that one.',
			);
		});

		test('lives, and that ours has ended by itself before it could be stopped is an error', async () => {
			const ends = () => {
				Object.assign(service.batches[0], { status: 3, endTime: Date.now() });
				return undefined;
			};
			service.script('batches', ends, { skip: 4, times: 1 });
			const { error } = await runOut(() => service.addBatch({ status: 1 }));
			expect(error?.message).toBe(
				`Batch 1001 of task ${service.taskID} could not be stopped after 3 minutes, and has ended by itself`,
			);
			expect(error?.description).toContain('It was not stopped: batch 1002 of the task is waiting');
		});

		test('may run: nothing is stopped when the batches cannot be listed', async () => {
			const { error } = await runOut(() =>
				service.script('batches', refusal(9000002, 'not now'), { skip: 1 }),
			);
			expect(service.sentTo('stop')).toEqual([]);
			expect(error?.message).toBe('The service refused the request');
			expect(error?.description).toContain('Batch 1001 of task');
			expect(error?.description).toContain(
				'could not be stopped after 3 minutes, and is still running',
			);
		});

		test('does not keep ours from being stopped once it has ended, though the list failed meanwhile', async () => {
			const { rows, error } = await runOut(() =>
				service.script('batches', { status: 503 }, { skip: 1, times: 9 }),
			);
			expect(error).toBeUndefined();
			expect(rows).toEqual([{ n: 'so far' }]);
			expect(statuses()).toEqual([4]);
		});

		test('has no error when our own run ends by itself just before the stop', async () => {
			service.script('stop', () => {
				Object.assign(service.batches[0], { status: 3, endTime: Date.now() });
				return undefined;
			});
			const { rows, error, hints } = await runOut(() => {});
			expect(error).toBeUndefined();
			expect(rows).toHaveLength(1);
			expect(hints.join()).not.toContain('was stopped');
		});

		const nameBoth = (error: NodeFailure | undefined) => {
			expect(error?.message).toBe(
				`To stop batch 1001, the service stopped batch 1002 of task ${service.taskID}`,
			);
			expect(error?.description).toContain(
				'Someone else started batch 1002: tell them, or start the task again for them.',
			);
		};

		const addOther = () => {
			service.addBatch({ status: 2 });
			return undefined;
		};

		test.each([
			['', {}],
			[', also with Retry On Fail', retryOnFail],
		])('is named by an error when the service stops it all the same%s', async (_how, settings) => {
			service.script('stop', addOther, { times: 1 });
			const { error } = await runOut(() => {}, settings);
			expect(statuses()).toEqual([4, 4]);
			nameBoth(error);
			expect(error?.description).toContain(
				'Batch 1001 is stopped. Get Data reads the rows of each by its ID.',
			);
		});

		test('is named as well when ours goes on', async () => {
			service.script('stop', addOther, { times: 1 });
			service.script('stop', refusal(9000000, 'odd'), { skip: 1 });
			const { error } = await runOut(() => {});
			expect(statuses()).toEqual([2, 4]);
			nameBoth(error);
			expect(error?.description).toContain(
				'Batch 1001 could not be stopped after 3 minutes, and is still running: the stop failed',
			);
		});

		test('is not taken for stopped when the answer names one that had ended before', async () => {
			const old = service.addBatch({ status: 4 });
			service.script('stop', () => {
				Object.assign(service.batches[1], { status: 4, endTime: Date.now() });
				return success(onTheWire(old));
			});
			const { error, rows } = await runOut(() => {});
			expect(error).toBeUndefined();
			expect(rows).toHaveLength(1);
			expect(service.sentTo('stop')).toHaveLength(1);
		});

		test('is a reason to start no further run of the task', async () => {
			service.script('stop', addOther, { times: 1 });
			const { rows } = await runOut(() => {}, goOn, [{}, {}]);
			expect(service.sentTo('start')).toHaveLength(1);
			expect(rows[1].error).toBe(
				`Task ${service.taskID} was not started again: batch 1001 should have been stopped, but batch 1002 was stopped instead`,
			);
		});
	});
});
