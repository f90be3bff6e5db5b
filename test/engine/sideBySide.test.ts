import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { fastClock } from '../support/engine/fastClock';
import { runOn, startNode } from '../support/engine/runNode';
import type { NodeSetup } from '../support/engine/engineWorkflow';
import { refusal } from '../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../support/scriptedService/scriptedService';
import type { ScriptedService } from '../support/scriptedService/scriptedService';
import { retryOnFail } from './retryOnFail';

/** Get Data that waits for batches to end: those of all input items at the same time. */
describe('runs side by side', () => {
	let service: ScriptedService;
	const manyTaskIDs = Array.from({ length: 60 }, (_id, n) => `task-${n + 1}`);
	const taskIDs = manyTaskIDs.slice(0, 3);

	beforeEach(async () => {
		service = await startScriptedService({ taskIDs: manyTaskIDs });
	});

	afterEach(async () => {
		await service.stop();
	});

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

	/** A batch of each task that ends after so many milliseconds, with a row that names it. */
	const runsOf = (...milliseconds: number[]) =>
		milliseconds.map((time, index) => {
			const batch = service.addBatch({ taskID: taskIDs[index], status: 2 });
			const end = () =>
				Object.assign(batch, {
					status: 3,
					endTime: Date.now(),
					rows: [`{"of":"${batch.taskID}"}`],
					lineCount: 1,
				});
			setTimeout(end, time);
			return batch;
		});

	/** When the batches of a task were asked for. */
	const pollsOf = (taskID: string) =>
		service
			.sentTo('batches')
			.filter(({ query }) => query.taskID === taskID)
			.map(({ at }) => at);

	test('takes as long as the slowest, not as the sum, and keeps the order', async () => {
		const begin = Date.now();
		const { items, hints } = await read(runsOf(3_000, 500, 2_000));
		expect(items).toEqual(taskIDs.map((of, item) => ({ json: { of }, pairedItem: { item } })));
		expect(hints).toEqual(['3 batches: 3 rows.']);
		// One after the other they would be asked for from 3 s on; that the first is still waited for when
		// the others are shows that nothing stood in line.
		const firstOf = (taskID: string) => pollsOf(taskID)[0];
		const lastOfSlowest = pollsOf('task-1').at(-1);
		for (const taskID of taskIDs) expect(firstOf(taskID)).toBeLessThan(lastOfSlowest ?? 0);
		expect(Date.now() - begin).toBeGreaterThan(2_900);
	}, 20_000);

	test('watches the budget of every run, also of one whose turn has not come', async () => {
		const [, second] = runsOf(3_000, 60_000);
		Object.assign(second, { lineCount: 5, rows: ['{"of":"the second"}'] });
		const { rows } = await read(service.batches, { stopAtRows: 5, onMissingRows: 'return' });
		expect(second.status).toBe(4);
		const [stop] = service.sentTo('stop');
		const lastPoll = pollsOf('task-1').at(-1);
		expect(stop.at).toBeLessThan(lastPoll ?? 0);
		expect(rows).toEqual([{ of: 'task-1' }, { of: 'the second' }]);
	}, 20_000);

	test('one that fails is said in its turn, and the others go on', async () => {
		const [first] = runsOf(1_500);
		const { rows } = await read(
			[{ taskID: 'task-2', batchID: 5 }, first],
			{},
			{ settings: { onError: 'continueRegularOutput' } },
		);
		expect(rows).toEqual([
			expect.objectContaining({ error: 'Task or batch not found' }),
			{ of: 'task-1' },
		]);
	}, 20_000);

	test('after a failure nobody is asked any more', async () => {
		const [, slow] = runsOf(100, 60_000);
		const { error } = await read([{ taskID: 'task-3', batchID: 5 }, slow]);
		expect(error?.message).toBe('Task or batch not found');
		await wait(200);
		const sent = service.requests.length;
		await wait(2_500);
		expect(service.requests).toHaveLength(sent);
	}, 20_000);

	test('after a failure a run with a budget is watched to its end, and the error says what came of it', async () => {
		const [, slow] = runsOf(100, 60_000);
		setTimeout(() => Object.assign(slow, { lineCount: 6 }), 1_500);
		const { error } = await read([{ taskID: 'task-3', batchID: 5 }, slow], { stopAtRows: 5 });
		expect(error?.message).toBe('Task or batch not found');
		expect(slow.status).toBe(4);
		expect(error?.description).toContain(
			`Batch ${slow.batchID} was stopped at 6 rows (Stop at Rows: 5).`,
		);
	}, 20_000);

	test('and when that one cannot be stopped, the error says that, too', async () => {
		const [, slow] = runsOf(100, 60_000);
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
	}, 20_000);

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
			`Batch ${spent.batchID} was stopped at 6 rows (Stop at Rows: 5).`,
		);
	}, 20_000);

	test('a cancel ends all waits and stops nothing: the runs are not its own', async () => {
		const input = runsOf(60_000, 60_000).map(({ taskID, batchID }) => ({
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
		await wait(200);
		const sent = service.requests.length;
		await wait(2_500);
		expect(service.requests).toHaveLength(sent);
		expect(service.sentTo('stop')).toEqual([]);
	}, 20_000);

	test('more than twenty wait for their turn, and all come', async () => {
		const batches = Array.from({ length: 45 }, () => service.addBatch({ status: 2 }));
		setTimeout(() => {
			for (const batch of batches)
				Object.assign(batch, { status: 3, rows: ['{"n":1}'], lineCount: 1 });
		}, 1_000);
		const { rows } = await read(batches);
		expect(rows).toHaveLength(45);
		expect(service.mostAtOnce()).toBeLessThanOrEqual(25);
	}, 30_000);

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
	}, 30_000);

	test('one of which there are many newer runs is found at every poll', async () => {
		service.rules.maxSize = 10;
		service.rules.oversize = 'clamp';
		const [batch] = runsOf(1_500);
		for (let newer = 0; newer < 60; newer++) service.addBatch({ taskID: 'task-1' });
		expect((await read([batch])).rows).toEqual([{ of: 'task-1' }]);
	}, 30_000);

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
		const [batch] = runsOf(60_000);
		const { error } = await read([batch], { timeout: 0.5 });
		expect(error?.message).toContain('Timeout (Minutes) must be a number from 1');
	});

	test('without it, a running batch is read as it is, with a hint', async () => {
		const batch = service.addBatch({ taskID: 'task-1', status: 2, rows: ['{"n":1}'] });
		const { rows, hints } = await read([batch], { waitForEnd: false });
		expect(rows).toEqual([{ n: 1 }]);
		expect(hints.join()).toContain('Batch 1001 is still running: these are its rows so far.');
	});
});
