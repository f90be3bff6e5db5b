import { median } from '../measure/measurement.ts';
import { processorMilliseconds } from '../measure/processUse.ts';
import { Progress } from '../report/progress.ts';
import { table, twoDigits, whole } from '../report/table.ts';
import { columns } from './columns.ts';
import { startScrapingService } from './service.ts';

interface Round {
	milliseconds: number;
	processorMilliseconds: number;
}

interface Pairs {
	atOnce: number;
	now: Round[];
	earlier: Round[];
}

const warmUpPages = 400;

/**
 * Lets the service of this checkout and that of another one (an earlier version) scrape the same addresses in
 * turn, each in a process of its own that has warmed up. Who begins, changes from round to round.
 */
export async function besideEarlier(
	addresses: string[],
	{ checkout, atOnce, rounds }: { checkout: string; atOnce: number; rounds: number },
): Promise<Pairs> {
	const services = [
		await startScrapingService(atOnce, { columns }),
		await startScrapingService(atOnce, { columns, checkout }),
	];
	const pairs: Pairs = { atOnce, now: [], earlier: [] };
	const progress = new Progress(rounds);
	try {
		for (const service of services) await service.scrape(addresses.slice(0, warmUpPages), atOnce);
		for (let round = 1; round <= rounds; round += 1) {
			progress.next(`${atOnce} at once, round ${round} of ${rounds}`);
			const turns = [pairs.now, pairs.earlier].map((results, index) => ({
				results,
				service: services[index],
			}));
			if (round % 2 === 0) turns.reverse();
			for (const { results, service } of turns) {
				const before = processorMilliseconds(service.pid);
				const { milliseconds } = await service.scrape(addresses, atOnce);
				const used = processorMilliseconds(service.pid) - before;
				results.push({ milliseconds, processorMilliseconds: used });
			}
		}
	} finally {
		progress.end();
		for (const service of services) await service.stop();
	}
	return pairs;
}

/** Ratios are those within a round: how much longer it takes now. */
export function pairsTable(pages: number, compared: Pairs[]): string {
	const header = [
		'at once',
		'earlier, pages/s',
		'now, pages/s',
		'time ×',
		'least',
		'most',
		'CPU ×',
	];
	const rows = compared.map(({ atOnce, now, earlier }) => {
		const speed = (rounds: Round[]) =>
			whole((1000 * pages) / median(rounds.map(({ milliseconds }) => milliseconds)));
		const ratios = (of: keyof Round) => now.map((round, index) => round[of] / earlier[index][of]);
		const times = ratios('milliseconds');
		return [
			String(atOnce),
			speed(earlier),
			speed(now),
			twoDigits(median(times)),
			twoDigits(Math.min(...times)),
			twoDigits(Math.max(...times)),
			twoDigits(median(ratios('processorMilliseconds'))),
		];
	});
	return table(header, rows);
}
