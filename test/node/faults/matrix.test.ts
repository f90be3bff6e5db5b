import { fastClock } from '../../support/engine/fastClock';
import { checkCell, exists } from './cell';
import type { Often } from './expectation';
import { faults } from './faults';
import type { Fault } from './faults';
import { places } from './places';
import type { Place } from './places';
import { matrixTable } from './table';
import type { SeenCell } from './table';

/** Those that must not go side by side: polls of one trigger, and minutes of tries, which pass for all. */
const isAlone = ({ name, isWanted }: Place) => name.startsWith('trigger') || isWanted;

describe.each<Often>(['once', 'always'])('a fault that comes %s', (often) => {
	const seen: SeenCell[] = [];

	afterAll(() => {
		process.stdout.write(matrixTable(often, faults, places, seen));
	});

	it.each(faults)('$name', async (fault) => {
		const clock = fastClock({ shortTimeOuts: fault.takesTime === true });
		try {
			const cells = places.filter((place) => exists(fault, place, often));
			const checked = await Promise.allSettled([
				...cells
					.filter((place) => !isAlone(place))
					.map((place) => check(fault, place, clock.passMinutes)),
			]);
			// A trigger does not begin a poll while one of its polls is under way.
			const alone = await Promise.allSettled([
				inTurn(cells.filter(isAlone), (place) => check(fault, place, clock.passMinutes)),
			]);
			// All have ended: what is still under way would be in the way of the next fault.
			for (const cell of [...checked, ...alone]) if (cell.status === 'rejected') throw cell.reason;
		} finally {
			clock.restore();
		}
	});

	async function check(
		fault: Fault,
		place: Place,
		passMinutes: (minutes: number) => void,
	): Promise<void> {
		try {
			seen.push({ fault, place, text: await checkCell(fault, place, often, passMinutes) });
		} catch (error) {
			if (error instanceof Error) error.message = `${place.name}: ${error.message}`;
			throw error;
		}
	}
});

async function inTurn<T>(values: T[], work: (value: T) => Promise<void>): Promise<void> {
	for (const value of values) await work(value);
}
