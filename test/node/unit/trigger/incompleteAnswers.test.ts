import { Task, Trigger } from './watchedTask';

describe('an answer that lacks batches', () => {
	/** A task of many ended batches, whose baseline is set. */
	const watched = async (ended: number) => {
		const task = new Task();
		for (let n = 0; n < ended; n++) task.end(task.start());
		const trigger = new Trigger(task, 100);
		await trigger.poll();
		return { task, trigger };
	};

	const numbers = (from: number, to: number) =>
		Array.from({ length: to - from + 1 }, (_batch, index) => from + index);

	test.each([5, 150, 1_500])('without any of %d batches fires none again', async (ended) => {
		const { task, trigger } = await watched(ended);
		const batch = task.start();
		task.end(batch);
		expect(await trigger.poll()).toEqual([batch]);
		expect(await trigger.poll('task', numbers(1, batch))).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
	});

	test.each([5, 150, 1_500])('without the newest of %d batches fires it once', async (ended) => {
		const { task, trigger } = await watched(ended);
		// The oldest batch is pending: each poll reads all pages.
		task.end(1, 2);
		trigger.state = undefined;
		await trigger.poll();
		const [fired, late] = [task.start(), task.start()];
		task.end(fired);
		task.end(late);
		expect(await trigger.poll('task', [late])).toEqual([fired]);
		expect(await trigger.poll('task', [fired, late])).toEqual([]);
		expect(await trigger.poll()).toEqual([late]);
		task.end(1);
		expect(await trigger.poll()).toEqual([1]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('without the newest 130 fires none of those behind them', async () => {
		const { trigger } = await watched(150);
		await trigger.poll();
		expect(await trigger.poll('task', numbers(21, 150))).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
	});

	test.each([1, 250])('without a pending one still fires it (number %d of 250)', async (number) => {
		const { task, trigger } = await watched(250);
		task.end(number, 2);
		trigger.state = undefined;
		await trigger.poll();
		for (let n = 0; n < 20; n++) expect(await trigger.poll('task', [number])).toEqual([]);
		expect(await trigger.poll('task', numbers(1, 250))).toEqual([]);
		task.end(number);
		expect(await trigger.poll()).toEqual([number]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('for good: a pending batch that was deleted costs no more pages in the end', async () => {
		const { task, trigger } = await watched(250);
		const deleted = task.start();
		await trigger.poll();
		await trigger.poll('task', [deleted]);
		expect(trigger.pagesRead).toBe(3);
		for (let n = 0; n < 30; n++) await trigger.poll('task', [deleted]);
		await trigger.poll('task', [deleted]);
		expect(trigger.pagesRead).toBe(1);
		expect(trigger.state).toMatchObject({ pending: [], stalled: {} });
		// The service was wrong for long.
		task.end(deleted);
		expect(await trigger.poll()).toEqual([deleted]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('once in a while: the polls in between do not add up', async () => {
		const { task, trigger } = await watched(1);
		const running = task.start();
		for (let n = 0; n < 40; n++) {
			await trigger.poll();
			await trigger.poll('task', [running]);
		}
		task.end(running);
		expect(await trigger.poll()).toEqual([running]);
	});
});
