import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { useFastClock } from '../../support/engine/fastClock';
import { runOn, startNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal } from '../../support/scriptedService/scriptedAnswers';
import { budgetedRun, rows } from './budgetedRun';

/** The service chooses the newest batch when it carries out the stop, not when that arrives. */
describe('a start while a stop of the same n8n is not answered', () => {
	useFastClock();
	const service = useScriptedService();

	const { run, atPoll } = budgetedRun(service);

	const statuses = () => service.batches.map(({ status }) => status);

	const stopsAt3Rows = async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		return await run({ stopAtRows: 3 });
	};

	/** Long enough for a start that waits for nothing. */
	const aWhile = async () => await wait(300);

	const starts: Array<[string, INodeParameters]> = [
		['Start Task', { operation: 'start' }],
		['Run Task and Get Data', { operation: 'runAndGetData', options: { pollInterval: 1 } }],
	];

	test.each(starts)('waits for the answer: %s', async (_name, parameters) => {
		let other: Promise<unknown> = Promise.resolve();
		service.script(
			'stop',
			async () => {
				const lists = service.sentTo('batchesBefore').length;
				other = runOn(service, parameters);
				await aWhile();
				expect(service.sentTo('start')).toHaveLength(1);
				expect(service.sentTo('batchesBefore')).toHaveLength(lists);
				return undefined;
			},
			{ times: 1 },
		);
		const { rows: own, error } = await stopsAt3Rows();
		expect(error).toBeUndefined();
		expect(own).toHaveLength(3);
		while (service.batches.length < 2) await wait(5);
		expect(statuses()).toEqual([4, 1]);
		Object.assign(service.batches[1], { status: 3, endTime: Date.now() });
		await other;
		expect(service.sentTo('stop')).toHaveLength(1);
	});

	test('waits for that of Stop Task, too, and not for that of another task', async () => {
		service.addBatch({ status: 2 });
		const refused: unknown[] = [];
		service.script(
			'stop',
			async () => {
				const others = [service.taskID, 'another'].map(
					async (taskId) => await runOn(service, { operation: 'start', taskId }),
				);
				refused.push((await others[1]).error?.message);
				await aWhile();
				return undefined;
			},
			{ times: 1 },
		);
		await runOn(service, { operation: 'stop' });
		expect(refused).toEqual(['Task or batch not found']);
		while (service.batches.length < 2) await wait(5);
		expect(statuses()).toEqual([4, 1]);
	});

	test('is not sent any more when its execution is cancelled meanwhile', async () => {
		service.script(
			'stop',
			async () => {
				const parameters = { taskId: service.taskID, operation: 'start' };
				const other = startNode({ parameters, credential: service.credential });
				await aWhile();
				other.run.cancel();
				await other.run.catch(() => {});
				return undefined;
			},
			{ times: 1 },
		);
		await stopsAt3Rows();
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test('no stop is sent while a start is not answered', async () => {
		let answerStart = () => {};
		const started = new Promise<void>((resolve) => (answerStart = resolve));
		service.script(
			'start',
			async () => {
				await started;
				return undefined;
			},
			{ skip: 1, times: 1 },
		);
		let other: Promise<unknown> = Promise.resolve();
		service.script(
			'batches',
			async () => {
				other = runOn(service, { operation: 'start' });
				while (service.sentTo('start').length < 2) await wait(5);
				return undefined;
			},
			{ times: 1 },
		);
		// A list that comes later ends the start's wait, and its batch.
		service.script(
			'batches',
			async () => {
				answerStart();
				await other;
				expect(service.sentTo('stop')).toEqual([]);
				Object.assign(service.batches[1], { status: 3, endTime: Date.now() });
				return undefined;
			},
			{ skip: 3, times: 1 },
		);
		const { rows: own, error } = await stopsAt3Rows();
		expect(error).toBeUndefined();
		expect(own).toHaveLength(3);
		expect(statuses()).toEqual([4, 3]);
	});

	/** A start of another execution, that begins when ours is looked at first. */
	const startAtFirstPoll = () => {
		const other: { cancel: () => Promise<void> } = { cancel: async () => {} };
		service.script(
			'batches',
			async () => {
				const parameters = { taskId: service.taskID, operation: 'start' };
				const { run: starting } = startNode({ parameters, credential: service.credential });
				other.cancel = async () => {
					starting.cancel();
					await starting.catch(() => {});
				};
				while (service.sentTo('start').length < 2) await wait(5);
				// Long enough for its answer, if there is one.
				await aWhile();
				return undefined;
			},
			{ times: 1 },
		);
		return other;
	};

	const busy = {
		...refusal(9000002, 'one run of a task at a time', 429),
		headers: { 'content-type': 'application/json', 'retry-after': '60' },
	};

	test('a start that is turned away holds up no stop until its next try', async () => {
		service.script('start', busy, { skip: 1 });
		const other = startAtFirstPoll();
		const { error, hints } = await stopsAt3Rows();
		await other.cancel();
		expect(error).toBeUndefined();
		expect(hints?.join()).toContain('was stopped at 3 rows');
		expect(service.sentTo('start')).toHaveLength(2);
		expect(statuses()).toEqual([4]);
	});

	test('starts that are not answered hold up a stop for a minute in all', async () => {
		let end = () => {};
		const ended = new Promise<void>((resolve) => (end = resolve));
		service.script(
			'start',
			async () => {
				await ended;
				return busy;
			},
			{ skip: 1 },
		);
		service.script('stop', () => {
			service.batches[0].lineCount = 4;
			return undefined;
		});
		const other = startAtFirstPoll();
		const { error, hints } = await stopsAt3Rows();
		end();
		await other.cancel();
		expect(error).toBeUndefined();
		expect(hints?.join()).toContain(
			"It went beyond 'Stop at Rows': it could not be stopped immediately: this n8n process is starting the task, and a stop could hit that batch.",
		);
		expect(statuses()).toEqual([4]);
	});

	test('a stop that was turned away is the reason why more was used than the budget', async () => {
		service.script(
			'stop',
			{ ...busy, headers: { ...busy.headers, 'retry-after': '20' } },
			{ times: 1 },
		);
		service.script('stop', () => {
			service.batches[0].lineCount = 4;
			return undefined;
		});
		const { error, hints } = await stopsAt3Rows();
		expect(error).toBeUndefined();
		expect(hints?.join()).toContain(
			"It went beyond 'Stop at Rows': it could not be stopped immediately: a request for it failed (The service is busy).",
		);
	});
});
