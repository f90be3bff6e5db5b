import { length } from '../../../support/length';
import { readState } from '../../../../nodes/CloudScraping/trigger/storedState';
import { Task, Trigger } from './watchedTask';

describe('a service that is restored from a backup gives IDs a second time', () => {
	/** A task with three old batches, whose baseline is set. */
	const watched = async (pageSize = 3) => {
		const task = new Task();
		for (let n = 0; n < 3; n++) task.end(task.start());
		const trigger = new Trigger(task, pageSize);
		await trigger.poll();
		return { task, trigger };
	};

	const runs = (task: Task, count: number) => {
		const started = Array.from({ length: count }, () => task.start());
		for (const batch of started) task.end(batch);
		return started;
	};

	test.each([1, 3, 100])('and each batch fires once, with %d a page', async (pageSize) => {
		const { task, trigger } = await watched(pageSize);
		for (let restored = 0; restored < 3; restored++) {
			const restore = task.backup();
			expect(runs(task, 2)).toEqual([4, 5]);
			expect(await trigger.poll()).toEqual([4, 5]);
			restore();
			expect(await trigger.poll()).toEqual([]);
			expect(runs(task, 3)).toEqual([4, 5, 6]);
			expect(await trigger.poll()).toEqual([4, 5, 6]);
			expect(await trigger.poll()).toEqual([]);
			restore();
		}
	});

	test('also those that the trigger has seen waiting and running', async () => {
		const { task, trigger } = await watched();
		const restore = task.backup();
		runs(task, 1);
		task.start();
		expect(await trigger.poll()).toEqual([4]);
		restore();
		expect([task.start(), task.start()]).toEqual([4, 5]);
		expect(await trigger.poll()).toEqual([]);
		task.end(5);
		expect(await trigger.poll()).toEqual([5]);
		task.end(4);
		expect(await trigger.poll()).toEqual([4]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('also those of the baseline, where nothing was left', async () => {
		const task = new Task();
		const restore = task.backup();
		runs(task, 3);
		const trigger = new Trigger(task);
		await trigger.poll();
		restore();
		for (const batch of [1, 2, 3, 4]) {
			expect(await trigger.poll()).toEqual([]);
			runs(task, 1);
			expect(await trigger.poll()).toEqual([batch]);
		}
		expect(await trigger.poll()).toEqual([]);
	});

	/** Runs of so many milliseconds, one each five minutes. */
	const last = (task: Task, begin: number, durations: number[]) =>
		durations.map((duration, n) => {
			const createTime = begin + n * 300_000;
			const batch = task.start(createTime);
			Object.assign(task.batches[batch - 1], { status: 3, endTime: createTime + duration });
			return batch;
		});

	test.each([1, 3, 100])(
		'and all of them fire where nothing is left and several ran since, with %d a page',
		async (pageSize) => {
			const begin = Date.UTC(2026, 10, 20);
			for (const count of [1, 2, 3, 9, 12]) {
				const task = new Task();
				const restore = task.backup();
				last(
					task,
					begin,
					Array.from({ length: 10 }, (_run, n) => 20_000 + 1_000 * n),
				);
				const trigger = new Trigger(task, pageSize);
				await trigger.poll();
				restore();
				const durations = Array.from({ length: count }, (_run, n) => 15_500 + 1_000 * n);
				const ran = last(task, begin + 86_400_000, durations);
				expect(await trigger.poll()).toEqual(ran);
				expect(await trigger.poll()).toEqual([]);
			}
		},
	);

	test('and those whose durations differ fire where one took as long as the one before', async () => {
		const begin = Date.UTC(2026, 10, 20);
		const task = new Task();
		const restore = task.backup();
		last(task, begin, [20_000, 21_000, 22_000]);
		const trigger = new Trigger(task);
		await trigger.poll();
		restore();
		last(task, begin + 86_400_000, [30_000, 21_000, 32_000]);
		expect(await trigger.poll()).toEqual([1, 3]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('a state that earlier versions stored, with IDs alone, fires nothing again, and goes on', async () => {
		const { task, trigger } = await watched();
		const restore = task.backup();
		task.end(task.start());
		const running = task.start();
		expect(await trigger.poll()).toEqual([4]);
		trigger.state = readState({ ...trigger.state, ends: undefined });
		expect(await trigger.poll()).toEqual([]);
		task.end(running);
		expect(await trigger.poll()).toEqual([running]);
		restore();
		runs(task, 3);
		expect(await trigger.poll()).toEqual([4, 5, 6]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('a batch that runs again after the restore, and has fired, fires no second time', async () => {
		const { task, trigger } = await watched();
		task.start();
		const restore = task.backup();
		task.end(4);
		expect(await trigger.poll()).toEqual([4]);
		restore();
		expect(await trigger.poll()).toEqual([]);
		runs(task, 1);
		task.end(4);
		expect(await trigger.poll()).toEqual([5]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('an old answer between two new ones fires neither batch again', async () => {
		const { task, trigger } = await watched();
		const restore = task.backup();
		runs(task, 2);
		expect(await trigger.poll()).toEqual([4, 5]);
		const lag = task.backup();
		restore();
		task.start();
		expect(await trigger.poll()).toEqual([]);
		const goOn = task.backup();
		lag();
		// Longer than a batch that is not listed is looked for.
		for (let n = 0; n < 35; n++) expect(await trigger.poll()).toEqual([]);
		goOn();
		task.end(4);
		expect(await trigger.poll()).toEqual([4]);
		lag();
		expect(await trigger.poll()).toEqual([]);
		goOn();
		expect(await trigger.poll()).toEqual([]);
	});

	const second = Date.UTC(2026, 10, 20) / 1_000;
	const text = (seconds: number) => new Date(seconds * 1_000).toISOString();

	test.each<[string, (seconds: number) => unknown]>([
		['in seconds', (seconds) => seconds],
		['as text', text],
		['as digits', (seconds) => String(seconds * 1_000)],
	])('also where times come %s', async (_how, time) => {
		const { task, trigger } = await watched();
		const restore = task.backup();
		const run = (begin: number, takes: number) => {
			const batch = task.start(time(begin));
			task.end(batch);
			Object.assign(task.batches[batch - 1], { endTime: time(begin + takes) });
		};
		run(second, 60);
		expect(await trigger.poll()).toEqual([4]);
		restore();
		run(second + 120, 61);
		expect(await trigger.poll()).toEqual([4]);
		expect(await trigger.poll()).toEqual([]);
	});

	test.each<[string, unknown[]]>([
		['later at each look', [1_900, 2_100, 5_000, 9_000]],
		['sometimes absent', [undefined, 1_900, undefined, 1_900]],
		['null, then a text', [null, '', 'yesterday', '2030-01-01 00:00:00']],
		['in another unit', [second - 60, (second - 60) * 1_000, text(second - 60), second - 60]],
	])('a batch whose time of creation is %s fires once', async (_how, times) => {
		for (const endTime of [2_000, second, text(second), undefined]) {
			const { task, trigger } = await watched();
			const batch = task.start(times[0]);
			task.end(batch);
			const fired: number[] = [];
			for (const createTime of [...times, ...times]) {
				Object.assign(task.batches[batch - 1], { createTime, endTime });
				fired.push(...(await trigger.poll()));
			}
			expect(fired).toEqual([batch]);
		}
	});

	/** The same times, told in another way: in milliseconds. */
	const tellings: Array<[string, (time: number) => unknown]> = [
		['in seconds', (time) => time / 1_000],
		['in microseconds', (time) => time * 1_000],
		['in nanoseconds', (time) => time * 1_000_000],
		['as text', (time) => new Date(time).toISOString()],
		['as text without a zone', (time) => new Date(time).toISOString().slice(0, -1)],
		['in whole seconds of another zone', (time) => Math.floor(time / 1_000) + 7_200],
		...[0.4, 37, 420, 3_600, 20_700, 86_400 * 30, -1, -37, -7_200].map(
			(moved): [string, (time: number) => unknown] => [
				`${moved} seconds later`,
				(time) => time + moved * 1_000,
			],
		),
	];

	describe.each(tellings)('all times told %s', (_how, told) => {
		/** A task with runs of some seconds, one each 20 s; the oldest of them goes on if it is to. */
		const watchedRuns = async (count: number, status: number) => {
			const task = new Task();
			for (let n = 0; n < count; n++) {
				const createTime = (second + n * 20) * 1_000;
				const endTime = createTime + 4_000 + ((n * 7_919) % 15_013);
				task.end(task.start(createTime), n === 0 ? status : 3);
				Object.assign(task.batches[n], { endTime: n === 0 && status === 2 ? 0 : endTime });
			}
			const trigger = new Trigger(task, 100);
			await trigger.poll();
			expect(await trigger.poll()).toEqual([]);
			return { task, trigger };
		};

		const tell = (task: Task) => {
			for (const batch of task.batches) {
				const [createTime, endTime] = [batch.createTime, batch.endTime].map((time) =>
					Number(time) > 0 ? told(Number(time)) : time,
				);
				Object.assign(batch, { createTime, endTime });
			}
		};

		test.each([
			[3, 3],
			[250, 3],
			[250, 2],
			// More than a trigger remembers.
			[length({ full: 2_500, short: 1_200 }), 2],
		])('make none of %d batches another one (status of the oldest %d)', async (count, status) => {
			const { task, trigger } = await watchedRuns(count, status);
			tell(task);
			for (let n = 0; n < 3; n++) expect(await trigger.poll()).toEqual([]);
			const start = (second + 90 * 86_400) * 1_000;
			const batch = task.start(told(start));
			task.end(batch);
			Object.assign(task.batches[batch - 1], { endTime: told(start + 5_000) });
			expect(await trigger.poll()).toEqual([batch]);
			expect(await trigger.poll()).toEqual([]);
			if (status === 2) {
				task.end(1);
				Object.assign(task.batches[0], { endTime: told(start + 9_000) });
				expect(await trigger.poll()).toEqual([1]);
			}
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.pagesRead).toBe(1);
		});
	});

	test('a state that remembers ends alone fires nothing again, and learns how long runs took', async () => {
		const { task, trigger } = await watched();
		const restore = task.backup();
		runs(task, 2);
		expect(await trigger.poll()).toEqual([4, 5]);
		const ends = Object.entries(trigger.state?.ends ?? {});
		const { counted: _counted, pause: _pause, ...state } = trigger.state ?? {};
		trigger.state = readState({
			...state,
			ends: Object.fromEntries(ends.map(([id, [end]]) => [id, end])),
		});
		task.moved = 100_000;
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.pagesRead).toBe(1);
		expect(trigger.state?.ends[5]).toHaveLength(2);
		restore();
		expect(runs(task, 3)).toEqual([4, 5, 6]);
		expect(await trigger.poll()).toEqual([4, 5, 6]);
		expect(await trigger.poll()).toEqual([]);
	});
});
