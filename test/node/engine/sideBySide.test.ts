import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { fastClock, useFastClock } from '../../support/engine/fastClock';
import { runOn, startNode } from '../../support/engine/runNode';
import type { NodeSetup } from '../../support/engine/engineWorkflow';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page, refusal } from '../../support/scriptedService/scriptedAnswers';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import { retryOnFail } from './retryOnFail';

/** Get Data that waits for batches to end: those of all input items at the same time. */
describe('runs side by side', () => {
	useFastClock();
	const manyTaskIDs = Array.from({ length: 60 }, (_id, n) => `task-${n + 1}`);
	const taskIDs = manyTaskIDs.slice(0, 3);
	const service = useScriptedService(() => ({ taskIDs: manyTaskIDs }));

	const parameters = (options: INodeParameters = {}): INodeParameters => ({
		operation: 'getData',
		taskId: '={{ $json.taskID }}',
		batch: 'id',
		batchId: { __rl: true, mode: 'id', value: '={{ $json.batchID }}' },
		options: { waitForEnd: true, pollInterval: 1, ...options },
	});

	const read = async (
		batches: Array<{ taskID: string; batchID: unknown }>,
		options: INodeParameters = {},
		setup: Partial<NodeSetup> = {},
	) =>
		await runOn(service, parameters(options), {
			input: batches.map(({ taskID, batchID }) => ({ taskID, batchID: String(batchID) })),
			...setup,
		});

	/** When the batches of a task were asked for. */
	const pollsOf = (taskID: string) =>
		service
			.sentTo('batches')
			.filter(({ query }) => query.taskID === taskID)
			.map(({ at }) => at);

	/**
	 * A batch of each task that ends, with a row that names it, when its task is asked for and its
	 * function says so, which gets to know the how manieth time that is.
	 */
	const runsOf = (...ends: Array<(polls: number) => boolean>) =>
		ends.map((isEnd, index) => {
			const taskID = taskIDs[index];
			const batch = service.addBatch({ taskID, status: 2 });
			service.script(
				({ endpoint, query }) => endpoint === 'batches' && query.taskID === taskID,
				() => {
					if (batch.status === 2 && isEnd(pollsOf(taskID).length)) {
						const rows = [`{"of":"${taskID}"}`];
						Object.assign(batch, { status: 3, endTime: Date.now(), rows, lineCount: 1 });
					}
					return undefined;
				},
			);
			return batch;
		});

	const never = () => false;

	/** Until nothing is asked for in the time of many polls: what was under way may come late. */
	const silence = async () => {
		for (let seen = -1; seen < service.requests.length; await wait(300)) {
			seen = service.requests.length;
		}
	};

	test('takes as long as the slowest, not as the sum, and keeps the order', async () => {
		const batches = runsOf(
			(polls) => polls === 6,
			(polls) => polls === 1,
			(polls) => polls === 4,
		);
		const { items, hints } = await read(batches);
		expect(items).toEqual(taskIDs.map((of, item) => ({ json: { of }, pairedItem: { item } })));
		expect(hints).toEqual(['3 batches: 3 rows.']);
		// That the first is still waited for when the others are shows that nothing stood in line.
		const firstOf = (taskID: string) => pollsOf(taskID)[0];
		const lastOfSlowest = pollsOf('task-1').at(-1);
		for (const taskID of taskIDs) expect(firstOf(taskID)).toBeLessThan(lastOfSlowest ?? 0);
	});

	test('watches the budget of every run, also of one whose turn has not come', async () => {
		const [, second] = runsOf(() => service.sentTo('stop').length > 0, never);
		Object.assign(second, { lineCount: 5, rows: ['{"of":"the second"}'] });
		const { rows } = await read(service.batches, { stopAtRows: 5, onMissingRows: 'return' });
		expect(second.status).toBe(4);
		expect(rows).toEqual([{ of: 'task-1' }, { of: 'the second' }]);
	});

	test('one that fails is said in its turn, and the others go on', async () => {
		const [first] = runsOf((polls) => polls > 2);
		const { rows } = await read(
			[{ taskID: 'task-2', batchID: 5 }, first],
			{},
			{ settings: { onError: 'continueRegularOutput' } },
		);
		expect(rows).toEqual([
			expect.objectContaining({ error: 'Task or batch not found' }),
			{ of: 'task-1' },
		]);
	});

	test('after a failure nobody is asked any more', async () => {
		const [, slow] = runsOf(never, never);
		const { error } = await read([{ taskID: 'task-3', batchID: 5 }, slow]);
		expect(error?.message).toBe('Task or batch not found');
		await silence();
	});

	test('after a failure a run with a budget is watched to its end, and the error says what came of it', async () => {
		const [, slow] = runsOf(never, (polls) => {
			if (polls === 3) Object.assign(slow, { lineCount: 6 });
			return false;
		});
		const { error } = await read([{ taskID: 'task-3', batchID: 5 }, slow], { stopAtRows: 5 });
		expect(error?.message).toBe('Task or batch not found');
		expect(slow.status).toBe(4);
		expect(error?.description).toContain(
			`Batch ${slow.batchID} was stopped at 6 rows (Stop at Rows: 5). It went beyond 'Stop at Rows': the batch is checked at each poll ('Poll Interval'), and stopping takes a moment.`,
		);
	});

	test('and when that one cannot be stopped, the error says that, too', async () => {
		const [, slow] = runsOf(never, never);
		Object.assign(slow, { lineCount: 6 });
		service.script('stop', refusal(9000002, 'not now'));
		const clock = fastClock({ shortTimeOuts: false });
		const options = { stopAtRows: 5, timeout: 1 };
		const { error } = await read([{ taskID: 'task-3', batchID: 5 }, slow], options);
		clock.restore();
		expect(error?.message).toBe('Task or batch not found');
		expect(error?.description).toContain(
			`Batch ${slow.batchID} of task task-2 could not be stopped at 6 rows`,
		);
	});

	test('so does the error of a later try, as Retry On Fail makes it', async () => {
		const spent = service.addBatch({ taskID: 'task-1', status: 2, lineCount: 6 });
		const { error } = await read(
			[spent, { taskID: 'task-3', batchID: 5 }],
			{ stopAtRows: 5, onMissingRows: 'return' },
			{ settings: retryOnFail },
		);
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(error?.message).toBe('Task or batch not found');
		expect(error?.description).toContain(
			`Batch ${spent.batchID} was stopped at 6 rows (Stop at Rows: 5). It went beyond 'Stop at Rows': the batch is checked at each poll ('Poll Interval'), and stopping takes a moment.`,
		);
	});

	test('a cancel ends all waits and stops nothing: the runs are not its own', async () => {
		const input = runsOf(never, never).map(({ taskID, batchID }) => ({
			taskID,
			batchID: String(batchID),
		}));
		const { run } = startNode({
			parameters: parameters(),
			credential: service.credential,
			input,
		});
		while (service.sentTo('batches').length < 4) await wait(10);
		run.cancel();
		await run.catch(() => {});
		await silence();
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('more than twenty wait for their turn, and all come', async () => {
		const batches = Array.from({ length: 45 }, () => service.addBatch({ status: 2 }));
		setTimeout(() => {
			for (const batch of batches)
				Object.assign(batch, { status: 3, rows: ['{"n":1}'], lineCount: 1 });
		});
		const { rows } = await read(batches);
		expect(rows).toHaveLength(45);
		expect(service.mostAtOnce()).toBeLessThanOrEqual(25);
	});

	test('of more than fifty the next one is waited for when one of these has ended', async () => {
		const batches = manyTaskIDs.map((taskID) =>
			service.addBatch({ taskID, status: 2, rows: ['{"n":1}'] }),
		);
		const isAskedFor = (taskID: string) => pollsOf(taskID).length > 1;
		let endedBefore: number | undefined;
		service.script('batches', ({ query }) => {
			if (manyTaskIDs.indexOf(query.taskID) >= 50) {
				endedBefore ??= batches.filter(({ status }) => status === 3).length;
			}
			if (manyTaskIDs.slice(0, 50).every(isAskedFor)) Object.assign(batches[0], { status: 3 });
			if (endedBefore !== undefined) {
				for (const batch of batches) Object.assign(batch, { status: 3 });
			}
			return undefined;
		});
		const { rows } = await read(batches);
		expect(rows).toHaveLength(60);
		expect(endedBefore).toBe(1);
	});

	test('one of which there are many newer runs is found at every poll', async () => {
		service.rules.maxSize = 10;
		service.rules.oversize = 'clamp';
		const [batch] = runsOf((polls) => polls > 20);
		for (let newer = 0; newer < 60; newer++) service.addBatch({ taskID: 'task-1' });
		expect((await read([batch])).rows).toEqual([{ of: 'task-1' }]);
	});

	test('what is wrong with the output is said before the wait', async () => {
		const batch = service.addBatch({ taskID: 'task-1', status: 2 });
		service.script('batches', () => {
			Object.assign(batch, { status: 3 });
			return undefined;
		});
		const { error } = await read([batch], { pageSize: 0 });
		expect(error?.message).toContain('Rows per Request must be');
		expect(service.requests).toEqual([]);
	});

	test('the time-out counts for each from its own beginning', async () => {
		const [batch] = runsOf(never);
		const { error } = await read([batch], { timeout: 0.5 });
		expect(error?.message).toContain('Timeout (Minutes) must be a number of at least 1');
	});

	describe('right after their start', () => {
		/** Starts a run of a task, which ends when it is asked for so many times. */
		const start = async (endsAt = 4) => {
			const { rows } = await runOn(service, { operation: 'start', taskId: 'task-1' });
			const [batch] = service.batches;
			service.script('batches', () => {
				const isEnd = pollsOf('task-1').length >= endsAt;
				if (isEnd) Object.assign(batch, { status: 3, endTime: 1, rows: ['{"n":1}'], lineCount: 1 });
				return undefined;
			});
			return rows.map(({ batchID }) => ({ taskID: 'task-1', batchID }));
		};

		test.each<[string, Answer]>([
			['does not list them yet', page([], { total: 0 })],
			['counts them, and does not list them yet', page([], { total: 1 })],
			['is busy', refusal(9000002, 'busy')],
			['fails', { status: 503 }],
		])('are waited for also when the service %s', async (_what, answer) => {
			const started = await start();
			service.script('batches', answer, { times: 3 });
			const { rows, error } = await read(started);
			expect(error).toBeUndefined();
			expect(rows).toEqual([{ n: 1 }]);
		});

		test('are held to their budget', async () => {
			const started = await start(Infinity);
			const [batch] = service.batches;
			Object.assign(batch, { status: 2, lineCount: 6, rows: ['{"n":1}'] });
			service.script('batches', page([], { total: 0 }), { times: 2 });
			await read(started, { stopAtRows: 5, onMissingRows: 'return' });
			expect(batch.status).toBe(4);
		});

		test('that they are not listed is an error in the end, which names them', async () => {
			const started = await start();
			service.script('batches', page([], { total: 0 }));
			const { error } = await read(started);
			expect(error?.message).toBe('Task or batch not found');
			expect(error?.description).toContain('does not list batch 1001 of task task-1');
		});
	});

	test('without it, a running batch is read as it is, with a hint', async () => {
		const batch = service.addBatch({ taskID: 'task-1', status: 2, rows: ['{"n":1}'] });
		const { rows, hints } = await read([batch], { waitForEnd: false });
		expect(rows).toEqual([{ n: 1 }]);
		expect(hints.join()).toContain('Batch 1001 is still running: these are its rows so far.');
	});
});
