import { fc } from '../../../support/fastCheck';
import { length } from '../../../support/length';
import { Task, Trigger } from './watchedTask';

describe('findEnded', () => {
	test('the first poll is the baseline: nothing fires', async () => {
		const task = new Task();
		task.end(task.start());
		task.start();
		expect(await new Trigger(task).poll()).toEqual([]);
	});

	test('fires a batch that ends after the baseline, once', async () => {
		const task = new Task();
		const trigger = new Trigger(task);
		await trigger.poll();
		const batch = task.start();
		expect(await trigger.poll()).toEqual([]);
		task.end(batch);
		expect(await trigger.poll()).toEqual([batch]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('fires a batch that was started before the baseline and ends after it', async () => {
		const task = new Task();
		const early = task.start();
		for (let n = 0; n < 20; n++) task.end(task.start());
		const trigger = new Trigger(task);
		await trigger.poll();
		expect(await trigger.poll()).toEqual([]);
		task.end(early);
		expect(await trigger.poll()).toEqual([early]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('fires in the order in which batches ended', async () => {
		const task = new Task();
		const trigger = new Trigger(task);
		await trigger.poll();
		const [a, b] = [task.start(), task.start()];
		task.end(b);
		const c = task.start();
		task.end(c);
		task.end(a);
		expect(await trigger.poll()).toEqual([b, c, a]);
	});

	test('fires all that ended while polls were missed, over many pages', async () => {
		const task = new Task();
		task.end(task.start());
		const trigger = new Trigger(task, 10);
		await trigger.poll();
		const started = Array.from({ length: 250 }, () => task.start());
		for (const batch of started) task.end(batch);
		expect(await trigger.poll()).toEqual(started);
		expect(await trigger.poll()).toEqual([]);
	});

	test('reads one page while nothing old is pending', async () => {
		const task = new Task();
		for (let n = 0; n < 50; n++) task.end(task.start());
		const trigger = new Trigger(task);
		await trigger.poll();
		await trigger.poll();
		expect(trigger.pagesRead).toBe(1);
	});

	test('remembers a bounded number of batches, and fires none of the older ones', async () => {
		const task = new Task();
		for (let n = 0; n < 3_000; n++) task.end(task.start());
		const trigger = new Trigger(task, 100);
		await trigger.poll();
		expect(JSON.stringify(trigger.state).length).toBeLessThan(50_000);
		expect(await trigger.poll()).toEqual([]);
		const more = Array.from({ length: 1_500 }, () => task.start());
		for (const batch of more) task.end(batch);
		expect(await trigger.poll()).toEqual(more);
		expect(await trigger.poll()).toEqual([]);
	});

	test.each([
		['is always the same', [1_000, 1_000, 1_000, 1_000]],
		['is not there', [0, 0, 0, 0]],
		['is a text', ['2026-11-20T09:30:00Z', '2026-11-20T09:31:00Z', '2026-11-20T09:32:00Z', '']],
		['goes backwards', [1_003, 1_002, 1_001, 1_000]],
	])('fires each batch once when the time of creation %s', async (_how, times) => {
		for (const pageSize of [1, 3, 100]) {
			const task = new Task();
			task.end(task.start(times[0]));
			task.end(task.start(times[1]));
			const trigger = new Trigger(task, pageSize);
			await trigger.poll();
			expect(await trigger.poll()).toEqual([]);
			const third = task.start(times[2]);
			task.end(third);
			expect(await trigger.poll()).toEqual([third]);
			expect(await trigger.poll()).toEqual([]);
			const fourth = task.start(times[3]);
			expect(await trigger.poll()).toEqual([]);
			task.end(fourth);
			expect(await trigger.poll()).toEqual([fourth]);
			expect(await trigger.poll()).toEqual([]);
		}
	});

	test('fires a batch that is listed behind those of the same time', async () => {
		const task = new Task();
		task.end(task.start(1_000));
		const trigger = new Trigger(task, 100);
		await trigger.poll();
		await trigger.poll();
		const second = task.start(1_000);
		task.end(second);
		task.batches.reverse();
		expect(await trigger.poll()).toEqual([second]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('another task or service begins anew', async () => {
		const task = new Task();
		const trigger = new Trigger(task);
		await trigger.poll('one');
		task.end(task.start());
		expect(await trigger.poll('other')).toEqual([]);
		task.end(task.start());
		expect(await trigger.poll('other')).toEqual([2]);
	});

	test('a pending batch that the service has deleted holds nothing up', async () => {
		const task = new Task();
		task.start();
		const trigger = new Trigger(task);
		await trigger.poll();
		task.batches.length = 0;
		task.start();
		task.start();
		task.end(2);
		expect(await trigger.poll()).toEqual([2]);
	});

	describe('where only statuses 3 and 4 are final', () => {
		const watched = async (before: number) => {
			const task = new Task();
			for (let n = 0; n < before; n++) task.end(task.start());
			const trigger = new Trigger(task, 3, ({ status }) => status === 3 || status === 4);
			await trigger.poll();
			return { task, trigger };
		};

		test('fires a batch that has an end time before it is final', async () => {
			const { task, trigger } = await watched(1);
			const batch = task.start();
			await trigger.poll();
			task.end(batch, 7);
			expect(await trigger.poll()).toEqual([]);
			expect(await trigger.poll()).toEqual([]);
			task.end(batch, 3);
			expect(await trigger.poll()).toEqual([batch]);
			expect(await trigger.poll()).toEqual([]);
		});

		test('does not wait for good for one that never becomes final', async () => {
			const { task, trigger } = await watched(1);
			task.end(task.start(), 7);
			for (let n = 0; n < 10; n++) task.end(task.start());
			await trigger.poll();
			await trigger.poll();
			expect(trigger.pagesRead).toBe(4);
			for (let n = 0; n < 30; n++) expect(await trigger.poll()).toEqual([]);
			expect(trigger.pagesRead).toBe(1);
			expect(trigger.state).toMatchObject({ pending: [], stalled: {} });
		});

		test('does not wait for those that had an end time before the baseline', async () => {
			const task = new Task();
			for (let n = 0; n < 10; n++) task.end(task.start(), 7);
			const trigger = new Trigger(task, 3, ({ status }) => status === 3);
			await trigger.poll();
			await trigger.poll();
			expect(trigger.pagesRead).toBe(1);
		});
	});

	const hour = 3_600_000;

	/** What happens to a task, and how often beside its starts and ends. */
	const nothing = { stale: 0, restored: 0, moved: 0, setBack: 0 };

	test.each([
		['whatever happens between polls', { ...nothing, restored: 1 }],
		['also when answers lack some batches', { ...nothing, restored: 1, stale: 2 }],
		['also when all times move by any amount', { ...nothing, restored: 1, moved: 1 }],
		[
			'also when they move while answers lack some',
			{ ...nothing, restored: 1, moved: 1, stale: 2 },
		],
		['also when the clock is set back', { ...nothing, setBack: 1 }],
		['also when that is corrected', { ...nothing, setBack: 1, moved: 1, stale: 1 }],
	])('fires each batch that ends after the baseline exactly once, %s', async (_what, weights) => {
		// A batch that was created anew and is told as older than the former one is no sure other one.
		const earliest = weights.restored > 0 ? 0 : -24 * hour;
		const event = fc.oneof(
			{ weight: 3, arbitrary: fc.constant('start' as const) },
			{ weight: 3, arbitrary: fc.nat(1_000) },
			{ weight: 2, arbitrary: fc.constant([] as number[]) },
			{ weight: weights.stale, arbitrary: fc.array(fc.integer({ min: 2, max: 60 })) },
			{
				weight: weights.restored,
				arbitrary: fc.constantFrom('backup' as const, 'restore' as const),
			},
			{
				weight: weights.moved,
				arbitrary: fc.record({ moved: fc.integer({ min: earliest, max: 24 * hour }) }),
			},
			{ weight: weights.setBack, arbitrary: fc.record({ setBack: fc.nat(2 * hour) }) },
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(event, { maxLength: 60 }),
				fc.array(event, { maxLength: 60 }),
				fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(100)),
				async (before, after, pageSize) => {
					const task = new Task();
					const trigger = new Trigger(task, pageSize);
					const ended = () =>
						task.batches
							.filter(({ status }) => status !== 2)
							.map(({ batchID }) => task.identity(Number(batchID)));
					const fired: unknown[] = [];
					const poll = async (hidden?: number[]) => {
						const ids = await trigger.poll('task', hidden);
						fired.push(...ids.map((id) => task.identity(id)));
					};
					// What every backup has shows that the times of others are of other batches.
					task.end(task.start());
					let restore = task.backup();
					/** One thing happens to the task, or the trigger polls and some batches are hidden. */
					const happen = async (what: (typeof after)[number], polls: boolean) => {
						const { running } = task;
						if (what === 'start') task.start();
						else if (what === 'backup') restore = task.backup();
						else if (what === 'restore') restore();
						else if (Array.isArray(what)) {
							if (polls) await poll(what);
						} else if (typeof what === 'object' && 'moved' in what) task.moved += what.moved;
						else if (typeof what === 'object') task.setBack = what.setBack;
						else if (running.length > 0) {
							task.end(running[what % running.length], 3 + (what % 2));
						}
					};
					for (const what of before) await happen(what, false);
					await poll();
					const baseline = ended();
					for (const what of after) await happen(what, true);
					while (task.running.length > 0) await happen(0, false);
					// Where batches were looked for in vain, it is some polls until they are again.
					for (let n = 0; n < 32; n++) await poll();
					expect(new Set(fired).size).toBe(fired.length);
					expect(fired.filter((batch) => baseline.includes(batch))).toEqual([]);
					// A restore may take a batch away before a poll has shown that it has ended.
					expect([...baseline, ...fired]).toEqual(expect.arrayContaining(ended()));
					expect(trigger.pagesRead).toBe(1);
				},
			),
			{ numRuns: length({ full: 300, short: 60 }) },
		);
	});
});
