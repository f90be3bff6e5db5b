import { setTimeout as wait } from 'node:timers/promises';

import { fastClock } from '../../support/engine/fastClock';
import { useScriptedService } from '../../support/engine/useScriptedService';

/**
 * Gives a service and a fast clock to each test of a block in which a stop that is wanted outlives its
 * execution: it is over when its batch has ended.
 */
export function useOutlivingStops() {
	const service = useScriptedService();
	const clock = {} as ReturnType<typeof fastClock>;
	beforeEach(() => {
		Object.assign(clock, fastClock({ shortTimeOuts: false }));
	});
	afterEach(async () => {
		for (const batch of service.batches) Object.assign(batch, { status: 3 });
		await wait(500);
		clock.restore();
	});
	return { service, clock };
}
