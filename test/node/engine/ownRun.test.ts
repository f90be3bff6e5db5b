import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { logLine } from '../../support/engine/n8nLog';
import { runOn, startNode } from '../../support/engine/runNode';
import { shiftedClock } from '../../support/engine/shiftedClock';
import { page, refusal } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';
import { onTheWire } from '../../support/scriptedService/scriptedStore';

describe('a run of someone else', () => {
	let service: ScriptedService;

	beforeEach(async () => {
		service = await startScriptedService();
	});

	afterEach(async () => {
		await service.stop();
	});

	const parameters = (options: INodeParameters = {}): INodeParameters => ({
		taskId: service.taskID,
		operation: 'runAndGetData',
		options: { pollInterval: 2, ...options },
	});

	const start = async () => {
		const before = service.batches.length;
		const started = startNode({ parameters: parameters(), credential: service.credential });
		while (service.batches.length === before) await wait(5);
		return started;
	};

	const cancel = async ({ run }: ReturnType<typeof startNode>) => {
		await wait(50);
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
		expect(line).toContain('was not stopped: batch 1002 of the task is waiting, too');

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
			'the batches of the task could not be listed (API key rejected)',
		],
		[
			'our own run is not listed',
			() => service.batches.splice(0, 1),
			'the service does not list it',
		],
		[
			'more is listed than counted',
			() => service.script('batches', () => page(service.batches.map(onTheWire), { total: 0 })),
			'the service counts 0 batches of the task, but lists 1',
		],
	])('may run: nothing is stopped when %s', async (_when, change, why) => {
		const execution = await start();
		change();
		await cancel(execution);
		expect(service.sentTo('stop')).toEqual([]);
		expect(await logLine(`was not stopped: ${why}`)).toBeDefined();
	});

	test('is no reason to be silent when the stop fails after a cancel', async () => {
		service.script('stop', refusal(9000002, 'not now'));
		await cancel(await start());
		expect(statuses()).toEqual([1]);
		const line = await logLine('could not be stopped');
		expect(line).toContain('could not be stopped: The service refused the request');
		expect(line).toContain('not now');
	});

	test('leaves the error of a stop to be said when nobody can look what became of it', async () => {
		service.script('stop', () => {
			service.script('batches', refusal(9000003, 'key revoked'));
			return refusal(9000002, 'not any more');
		});
		await cancel(await start());
		expect(await logLine('not any more')).toContain('could not be stopped: The service refused');
	});

	describe('when the time is up', () => {
		let clock: ReturnType<typeof shiftedClock>;

		beforeEach(() => {
			clock = shiftedClock();
		});

		afterEach(() => {
			clock.restore();
		});

		/** Runs the node; at its first poll the time is up, and `meanwhile` has happened. */
		const runOut = async (meanwhile: () => void) => {
			const timeIsUp = () => {
				const [batch] = service.batches.slice(-1);
				Object.assign(batch, { status: 2, rows: ['{"n":"so far"}'] });
				meanwhile();
				clock.pass(3);
				return undefined;
			};
			service.script('batches', timeIsUp, { times: 1 });
			const options = { onTimeout: 'stopAndReturn', pollInterval: 1 };
			return await runOn(service, { ...parameters(options), timeout: 3 });
		};

		test('lives, the rows so far are returned, and a hint says that nothing was stopped', async () => {
			const { rows, hints } = await runOut(() => service.addBatch({ status: 1 }));
			expect(rows).toEqual([{ n: 'so far' }]);
			expect(service.sentTo('stop')).toEqual([]);
			expect(statuses()).toEqual([2, 1]);
			expect(hints).toContain(
				'Batch 1001 is running after 3 minutes. It was not stopped: batch 1002 of the task is waiting, too, and a stop could hit that one.',
			);
		});

		test('may run: nothing is stopped when the batches cannot be listed', async () => {
			const { rows, hints } = await runOut(() =>
				service.script('batches', refusal(9000002, 'not now'), { skip: 1 }),
			);
			expect(rows).toEqual([{ n: 'so far' }]);
			expect(service.sentTo('stop')).toEqual([]);
			expect(hints.join()).toContain('could not be listed (The service refused the request)');
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

		test('is named when the service stops it all the same', async () => {
			service.script('stop', () => {
				service.addBatch({ status: 2 });
				return undefined;
			});
			const { rows, hints } = await runOut(() => {});
			expect(rows).toEqual([{ n: 'so far' }]);
			expect(hints.join()).toContain('the service has stopped batch 1002 of the task instead');
		});
	});
});
