import { median } from '../measure/measurement.ts';
import { processorMilliseconds } from '../measure/processUse.ts';
import { Progress } from '../report/progress.ts';
import { table, twoDigits, whole } from '../report/table.ts';
import type { Column } from './columns.ts';
import type { Contender } from './contender.ts';
import { startCrawlee } from './crawlee.ts';
import { startParsing } from './parsing.ts';
import { startScrapingService } from './service.ts';

/** Both contenders, and the bound, with so many pages at once. */
export interface Comparison {
	atOnce: number;
	pages: number;
	service: Round[];
	crawlee: Round[];
	/** The bound of `http` pages: parsing alone, with all processors. */
	parsing: Round[];
}

interface Round {
	milliseconds: number;
	processorMilliseconds: number;
	rows: string[][];
}

/** What a comparison is about. */
interface Course {
	atOnce: number;
	rounds: number;
	columns: Column[];
	browser?: string;
}

/** In a browser, a fifth of these. */
const warmUpPages = 200;

/**
 * Lets all scrape the same addresses in turn, each in a process of its own that has warmed up. `browser`:
 * the one that both contenders take, if any; then there is no bound.
 */
export async function compare(
	addresses: string[],
	{ atOnce, rounds, columns, browser }: Course,
): Promise<Comparison> {
	const service = await startScrapingService(atOnce, { columns, browser });
	const crawlee = await startCrawlee(columns, browser);
	const parsing = browser === undefined ? await startParsing(addresses.length) : undefined;
	const comparison: Comparison = {
		atOnce,
		pages: addresses.length,
		service: [],
		crawlee: [],
		parsing: [],
	};
	const progress = new Progress(rounds);
	const warmUp = addresses.slice(0, browser === undefined ? warmUpPages : warmUpPages / 5);
	try {
		for (const contender of [service, crawlee, parsing]) {
			await contender?.scrape(warmUp, atOnce);
		}
		for (let round = 1; round <= rounds; round += 1) {
			progress.next(`${atOnce} at once, round ${round} of ${rounds}`);
			comparison.service.push(await measure(service, addresses, atOnce));
			comparison.crawlee.push(await measure(crawlee, addresses, atOnce));
			if (parsing) comparison.parsing.push(await measure(parsing, addresses, atOnce));
		}
	} finally {
		progress.end();
		await service.stop();
		await crawlee.stop();
		await parsing?.stop();
	}
	return comparison;
}

async function measure(contender: Contender, addresses: string[], atOnce: number): Promise<Round> {
	const before = processorMilliseconds(contender.pid);
	const scraped = await contender.scrape(addresses, atOnce);
	return { ...scraped, processorMilliseconds: processorMilliseconds(contender.pid) - before };
}

/** Medians of the rounds; the ratio is the median of those within a round. */
export function comparisonTable(comparisons: Comparison[]): string {
	const header = ['', 'at once', 'pages/s', '× Crawlee', 'ms', 'CPU ms a page'];
	const rows = comparisons.flatMap(({ atOnce, pages, service, crawlee, parsing }) => {
		const line = (name: string, rounds: Round[]) => {
			const milliseconds = median(rounds.map((round) => round.milliseconds));
			const processor = median(rounds.map((round) => round.processorMilliseconds));
			const ratios = rounds.map((round, index) => crawlee[index].milliseconds / round.milliseconds);
			return [
				name,
				String(atOnce),
				twoDigits((1000 * pages) / milliseconds),
				twoDigits(median(ratios)),
				whole(milliseconds),
				twoDigits(processor / pages),
			];
		};
		return [
			line('this service', service),
			line('Crawlee', crawlee),
			...(parsing.length > 0 ? [line('parsing alone', parsing)] : []),
		];
	});
	return table(header, rows);
}
