import { length } from '../../../support/length';
import { Task, Trigger } from './watchedTask';

describe("a service's clock that is set back lists new batches behind old ones", () => {
	const begin = Date.UTC(2026, 10, 20);

	const run = (task: Task, createTime: number) => {
		const batch = task.start(createTime);
		task.end(batch);
		Object.assign(task.batches[batch - 1], { endTime: createTime + 5_000 + (batch % 13) });
		return batch;
	};

	/** A task with runs each 20 s, whose baseline is set. */
	const watched = async (count: number) => {
		const task = new Task();
		for (let n = 0; n < count; n++) run(task, begin + n * 20_000);
		const trigger = new Trigger(task, 100);
		await trigger.poll();
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.pagesRead).toBe(1);
		return { task, trigger };
	};

	test.each([150, 250, 900, 2_500])('and each fires once, of %d', async (count) => {
		const { task, trigger } = await watched(count);
		// The list is in the order of its times.
		task.setBack = 1;
		const hourBefore = begin + count * 20_000 - 3_600_000;
		for (let n = 0; n < length({ full: 200, short: 40 }); n += 3) {
			const batches = [n, n + 1, n + 2].map((each) =>
				run(task, hourBefore + each * 20_000 + 7_000),
			);
			expect(await trigger.poll()).toEqual(batches);
			// Those that are 180 places behind stand on the second or third page.
			expect(trigger.pagesRead).toBeLessThanOrEqual(3);
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.pagesRead).toBe(1);
		}
	});

	test('and one that still runs fires when it has ended', async () => {
		const { task, trigger } = await watched(250);
		task.setBack = 1;
		const batch = task.start(begin + 7_000);
		expect(await trigger.poll()).toEqual([]);
		task.end(batch);
		expect(await trigger.poll()).toEqual([batch]);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.pagesRead).toBe(1);
	});

	test('and they are found later where the service has counted wrongly before', async () => {
		const { task, trigger } = await watched(250);
		task.setBack = 1;
		task.countedToo = 1;
		await trigger.poll();
		expect(trigger.pagesRead).toBe(3);
		const batch = run(task, begin + 7_000);
		const fired: number[] = [];
		for (let n = 0; n < 31; n++) fired.push(...(await trigger.poll()));
		expect(fired).toEqual([batch]);
	});

	test.each<[string, (poll: number) => number]>([
		['goes up and down', (poll) => poll % 2],
		['grows by itself', (poll) => poll],
		['is another one each time', (poll) => (poll * 7_919) % 101],
	])('costs no more pages where a count %s', async (_how, counted) => {
		const { task, trigger } = await watched(950);
		let pages = 0;
		for (let poll = 1; poll <= 90; poll++) {
			task.countedToo = counted(poll);
			expect(await trigger.poll()).toEqual([]);
			pages += trigger.pagesRead;
		}
		// All ten of them once in thirty polls.
		expect(pages).toBeLessThanOrEqual(90 + 4 * 9);
	});

	test('costs no more pages where old batches go while new ones come', async () => {
		const { task, trigger } = await watched(950);
		for (let n = 0; n < 40; n++) {
			task.delete(n + 1);
			const batch = run(task, begin + (2_000 + n) * 20_000);
			expect(await trigger.poll()).toEqual([batch]);
			expect(trigger.pagesRead).toBe(1);
		}
	});
});
