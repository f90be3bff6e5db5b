import { vi } from 'vitest';

import { fc } from '../../support/fastCheck';
import { useFastClock } from '../../support/engine/fastClock';
import { runNode } from '../../support/engine/runNode';
import { isKnowable, species, wish } from './zoo/species';
import type { Species, Wish } from './zoo/species';
import { openZoo } from './zoo/zoo';

/** How many services; `npm run test:long:zoo` has five times as many. */
const services = Number(process.env.ZOO ?? 100);

let zoo: Awaited<ReturnType<typeof openZoo>>;

useFastClock();

beforeAll(async () => {
	zoo = await openZoo();
	// No pause between tries.
	vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterAll(async () => {
	vi.restoreAllMocks();
	await zoo.close();
});

const upTo = (count: number) => Array.from({ length: count }, (_row, n) => n);

/** What makes that a read of an ended batch cannot be whole, or cannot be known to be. */
function oddities(drawn: Species, rowsAtEnd: number): string[] {
	const { cap, lags, leftOut, rows, totalIsOff, totalIsZero } = drawn;
	return [
		...(leftOut.some((row) => row < rowsAtEnd) ? ['rows are left out'] : []),
		...(totalIsOff !== 0 || (totalIsZero && rows > 0) ? ['total lies'] : []),
		...(lags.some(({ times }) => times > 1) ? ['a page lags twice'] : []),
		...(lags.some(({ page, isCounted }) => page === 1 && isCounted)
			? ['page 1 is of earlier']
			: []),
		...(cap.how === 'silent' && cap.fromPage > 1 ? ['pages move without a word'] : []),
	];
}

const count = new Map<string, number>();

function note(kind: string): void {
	count.set(kind, (count.get(kind) ?? 0) + 1);
}

async function read(drawn: Species, { limit, ...options }: Wish) {
	const { animal, credential, leave } = zoo.admit(drawn);
	const { rows, error, hints } = await runNode({
		credential,
		parameters: {
			operation: 'getData',
			taskId: 'zoo',
			batch: 'id',
			// Of the list: n8n would look at a typed ID with a regular expression that may time out.
			batchId: { __rl: true, mode: 'list', value: '1001' },
			...(limit === undefined ? { returnAll: true } : { limit }),
			options: { ...options },
		},
	});
	leave();
	return { numbers: rows.map(({ n }) => Number(n)), error, hints, rowsAtEnd: animal.rows };
}

test(
	`${services} services: what comes is what is there, in order, or an error says what is missing`,
	async () => {
		await fc.assert(
			fc.asyncProperty(species, wish, async (drawn, wished) => {
				fc.pre(isKnowable(drawn));
				const { numbers, error, hints, rowsAtEnd } = await read(drawn, wished);
				const there = upTo(rowsAtEnd).filter((row) => !drawn.leftOut.includes(row));
				const { limit = Infinity, onMissingRows } = wished;
				const odd = oddities(drawn, rowsAtEnd);

				if (error) {
					note('error');
					expect(onMissingRows).toBe('error');
					expect(odd).not.toEqual([]);
					expect(`${error.message} ${error.description}`).toMatch(
						/counts \d+ rows? .* returned \d+|came on the wrong pages/,
					);
					expect(error.description).toContain('On Missing Rows');
					expect(numbers).toEqual([]);
					return;
				}
				const isSaid =
					hints.join('\n').match(/counts \d+ rows? .* returned \d+|came on the wrong pages/) !==
					null;
				const isExact =
					numbers.length === Math.min(limit, drawn.isRunning ? numbers.length : there.length) &&
					numbers.every((row, index) => row === there[index]);
				if (isSaid) note('hint');
				else {
					note('whole');
					expect({ numbers, isExact }).toEqual({ numbers, isExact: true });
					// Whose places are counted must have come.
					const isCounted = drawn.totalIsOff === 0 && !drawn.totalIsZero && !drawn.isRunning;
					const end = numbers.length === limit ? Number(numbers.at(-1)) : drawn.rows;
					if (isCounted) expect(drawn.leftOut.filter((row) => row < end)).toEqual([]);
				}
				// A replica that counts only what it has shows a batch that runs as it was earlier.
				const mayBeBehind = odd.length > 0 || drawn.lags.some(({ isCounted }) => isCounted);
				if (odd.length === 0) expect({ isSaid, isExact }).toEqual({ isSaid: false, isExact: true });
				if (drawn.isRunning)
					expect(numbers.length).toBeGreaterThanOrEqual(
						mayBeBehind ? 0 : Math.min(limit, drawn.rows),
					);
				// What came is never doubled or out of order, but where pages move without a word.
				if (odd.includes('pages move without a word')) return;
				expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
			}),
			{ numRuns: services },
		);
		process.stdout.write(`${[...count].map(([kind, times]) => `${kind}: ${times}`).join(', ')}\n`);
		expect(count.get('whole')).toBeGreaterThan(services / 4);
		expect(count.get('error')).toBeGreaterThan(services / 20);
	},
	services * 10_000,
);
