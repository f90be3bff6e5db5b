import type { INodeParameters } from 'n8n-workflow';

import { fastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import { refusal, reset } from '../../support/scriptedService/scriptedAnswers';

describe('a read of 30 pages', () => {
	const service = useScriptedService();
	let clock: ReturnType<typeof fastClock>;

	beforeEach(() => {
		service.addBatch({ rows: all.map((n) => `{"n":${n}}`) });
		clock = fastClock({ shortTimeOuts: false });
	});

	afterEach(() => {
		clock.restore();
	});

	const all = Array.from({ length: 300 }, (_row, n) => n);

	const getData = async (options: INodeParameters = {}) =>
		await runOn(service, {
			operation: 'getData',
			returnAll: true,
			options: { pageSize: 10, concurrency: 5, ...options },
		});

	const busy = (status: number): Answer => ({ status, body: 'Too much at once' });

	test.each([429, 503])('takes turns where more than one at once is HTTP %i', async (status) => {
		let inFlight = 0;
		let refused = 0;
		service.script('data', async () => {
			if (inFlight > 0) {
				refused++;
				return busy(status);
			}
			inFlight++;
			await new Promise(setImmediate);
			inFlight--;
			return undefined;
		});
		const { rows, error } = await getData();
		expect(error).toBeUndefined();
		expect(rows.map(({ n }) => n)).toEqual(all);
		// Those that were on their way when the first one was refused, and no other.
		expect(refused).toBeLessThan(10);
	});

	test.each<[string, Answer]>([
		['HTTP 503', busy(503)],
		['HTTP 429', busy(429)],
		['an error code with HTTP 500', refusal(9000000, 'restarting', 500)],
		['a cut connection', reset],
	])('goes on after 20 s of %s', async (_what, answer) => {
		let since: number | undefined;
		service.script(
			'data',
			() => {
				since ??= performance.now();
				return performance.now() - since < 20_000 ? answer : undefined;
			},
			{ skip: 7 },
		);
		const { rows, error } = await getData();
		expect(error).toBeUndefined();
		expect(rows.map(({ n }) => n)).toEqual(all);
	});

	test('is an error where nothing has come for half a minute', async () => {
		service.script('data', busy(503), { skip: 7 });
		const begin = performance.now();
		const { rows, error } = await getData();
		expect(rows).toEqual([]);
		expect(error?.message).toBe('The service could not process the request');
		expect(error?.description).toMatch(/Tried \d+ times\./);
		expect(performance.now() - begin).toBeGreaterThan(30_000);
		expect(performance.now() - begin).toBeLessThan(60_000);
	});

	test('is an error after four tries where nothing has ever come', async () => {
		service.script('data', busy(503));
		const { error } = await getData();
		expect(error?.description).toContain('Tried 4 times.');
		expect(service.sentTo('data')).toHaveLength(4);
	});

	test('is not asked again with a deduplication ID of the service', async () => {
		service.script('data', busy(503), { skip: 2 });
		const { error } = await getData({ deduplication: 'service', deduplicationId: 'd-1' });
		expect(error?.description).toContain('Some rows may be lost');
		expect(service.sentTo('data')).toHaveLength(3);
	});
});
