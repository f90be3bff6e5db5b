import type { INodeParameters } from 'n8n-workflow';

import { fastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';

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
