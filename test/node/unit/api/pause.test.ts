import { pause } from '../../../../nodes/CloudScraping/api/cancel';

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
