import { nextInterval, pause } from '../../../../nodes/CloudScraping/api/pause';

describe('pause', () => {
	test('waits as long as it is told', async () => {
		const begin = performance.now();
		await pause(50);
		expect(performance.now() - begin).toBeGreaterThan(45);
	});

	test('ends when the execution is cancelled', async () => {
		const cancel = new AbortController();
		const begin = performance.now();
		setTimeout(() => cancel.abort(), 20);
		await pause(900, cancel.signal);
		expect(performance.now() - begin).toBeLessThan(600);
	});

	test('does not begin when the execution is cancelled already', async () => {
		const begin = performance.now();
		await pause(900, AbortSignal.abort());
		expect(performance.now() - begin).toBeLessThan(600);
	});

	test('leaves no listener behind', async () => {
		const { signal } = new AbortController();
		const removed = jest.spyOn(signal, 'removeEventListener');
		const added = jest.spyOn(signal, 'addEventListener');
		await pause(1, signal);
		expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
			added.mock.calls.map(([, listener]) => listener),
		);
	});
});

describe('nextInterval', () => {
	const minute = 60_000;

	test.each([
		[5_000, 0, 5_000],
		[5_000, 50_000, 5_000],
		[5_000, 100_000, 10_000],
		[5_000, 10 * minute, minute],
		[5_000, 24 * 60 * minute, minute],
		[90_000, 0, 90_000],
		[90_000, 60 * minute, 90_000],
	])('from %i ms, %i ms after the start, is %i ms', (first, passed, expected) => {
		expect(nextInterval(first, passed)).toBe(expected);
	});

	test('never shrinks', () => {
		const intervals = Array.from({ length: 200 }, (_step, n) => nextInterval(5_000, n * 10_000));
		expect(intervals).toEqual([...intervals].sort((a, b) => a - b));
	});
});
