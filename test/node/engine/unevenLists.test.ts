import { randomUUID } from 'node:crypto';

import { useFastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page, success } from '../../support/scriptedService/scriptedAnswers';
import { asStarted, onTheWire } from '../../support/scriptedService/scriptedStore';
import { rows } from './budgetedRun';

/** Two machines of a service, of which one lags behind, give lists of different age. */
describe('a stop, where lists are of different age', () => {
	useFastClock();
	const service = useScriptedService(() => ({ taskIDs: [randomUUID()] }));

	/**
	 * Two machines of the service answer in turn, and one of them lags behind by so many seconds. Own rows
	 * come one a second; somebody else has started a run by then, which ends after a while.
	 */
	test.each([
		[10, 25, 0],
		[10, 25, 1],
		[45, 10, 0],
		[45, 10, 1],
		[90, 10, 0],
		[90, 10, 1],
	])(
		'is not sent while somebody else’s run goes on, where every second list lags by %i s: since %i s, %i',
		async (lag, otherBegins, odd) => {
			const otherEnds = 200;
			const begunAt = performance.now();
			const stops: number[] = [];
			const seconds = () => (performance.now() - begunAt) / 1_000;
			service.script('start', () => success(asStarted(service.addBatch({ status: 2 }))));
			let count = odd;
			service.script('batches', () => {
				const now = seconds() - (count++ % 2 === 0 ? lag : 0);
				const [own] = service.batches;
				const stopped = stops.length > 0 && now >= stops[0];
				const lineCount = Math.max(0, Math.floor(now));
				Object.assign(own, stopped && { rows: rows.slice(0, 1), lineCount: 1 });
				const ownNow = { ...own, status: stopped ? 4 : 2, ...(!stopped && { lineCount }) };
				const other = { ...own, batchID: 7_777, lineCount: 5, status: now < otherEnds ? 2 : 3 };
				const listed = [...(now >= otherBegins ? [other] : []), ...(now >= 0 ? [ownNow] : [])];
				return page(
					listed.map((batch) => onTheWire(batch)),
					{ total: listed.length },
				);
			});
			service.script('stop', () => {
				stops.push(seconds());
				Object.assign(service.batches[0], { status: 4, endTime: Date.now() });
				return success(onTheWire(service.batches[0]));
			});
			const result = await runOn(service, {
				operation: 'runAndGetData',
				timeout: 20,
				options: { pollInterval: 5, stopAtRows: 30, onMissingRows: 'return' },
			});
			expect(result.error).toBeUndefined();
			expect(stops).toHaveLength(1);
			expect(stops[0]).toBeGreaterThan(otherEnds);
			expect(stops[0]).toBeLessThan(otherEnds + lag + 120);
		},
	);
});
