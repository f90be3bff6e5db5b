import { join } from 'node:path';
import { objectAt } from '../../playground/json.ts';
import { startChild } from '../ground/child.ts';
import type { MeasuredPostgres } from '../ground/postgres.ts';
import { median } from '../measure/measurement.ts';
import { Progress } from '../report/progress.ts';
import { table, twoDigits, whole } from '../report/table.ts';
import { columns, linkColumns } from '../scraping/columns.ts';
import type { Scraping } from '../scraping/service.ts';
import { agents, setUps, startSetUp, type SetUp } from './setUps.ts';

interface Round {
	milliseconds: number;
	rows: number;
	/** Of all processes of the service, and of PostgreSQL. */
	service: number;
	postgres: number;
}

/** As many as it takes until four processes are as fast as they get. */
const warmUpPages = 1_000;

/** The pages of bench:scraping, read by each set-up in turn: a row of each page, then one of each link. */
export async function pagesTables(
	postgres: MeasuredPostgres,
	{ pages, rounds }: { pages: number; rounds: number },
): Promise<string> {
	const pageServer = await startChild(join(import.meta.dirname, '../scraping/pageServer.ts'), [
		String(pages),
	]);
	const { port } = objectAt(pageServer.ready);
	// Each page comes twice, by another address.
	const addresses = Array.from(
		{ length: 2 * pages },
		(_, page) => `http://127.0.0.1:${Number(port)}/${page % pages}.html?${page}`,
	);
	try {
		const ofPages = await compare(postgres, addresses, { scraping: { columns }, rounds, setUps });
		const ofLinks = await compare(postgres, addresses, {
			scraping: { columns: linkColumns, rows: 'a[href]' },
			rounds,
			setUps: setUps.filter(({ agentProcesses }) => agentProcesses === 0),
		});
		return `A row of each page, seven columns:\n\n${tableOf(ofPages, addresses.length)}\n\nA row of each link, two columns:\n\n${tableOf(ofLinks, addresses.length)}`;
	} finally {
		await pageServer.stop();
	}
}

/** Each in new processes, which have warmed up; the order is turned from round to round. */
async function compare(
	postgres: MeasuredPostgres,
	addresses: string[],
	{ scraping, rounds, setUps: some }: { scraping: Scraping; rounds: number; setUps: SetUp[] },
): Promise<Map<SetUp, Round[]>> {
	const results = new Map(some.map((setUp): [SetUp, Round[]] => [setUp, []]));
	const progress = new Progress(rounds * some.length);
	for (let round = 1; round <= rounds; round += 1) {
		for (const setUp of round % 2 === 1 ? some : some.toReversed()) {
			progress.next(`round ${round} of ${rounds}: ${setUp.name}`);
			const running = await startSetUp(setUp, postgres, scraping);
			try {
				await running.scrape(addresses.slice(0, warmUpPages), agents);
				const before = [running.processorMilliseconds(), postgres.processorMilliseconds()];
				const { milliseconds, rows } = await running.scrape(addresses, agents);
				results.get(setUp)?.push({
					milliseconds,
					rows: rows.length,
					service: running.processorMilliseconds() - before[0],
					postgres: postgres.processorMilliseconds() - before[1],
				});
			} finally {
				await running.stop();
			}
		}
	}
	progress.end();
	const counts = new Set([...results.values()].flat().map(({ rows }) => rows));
	if (counts.size > 1) throw new Error(`Not all have the same rows: ${[...counts].join(', ')}.`);
	return results;
}

/** Medians of the rounds; the ratio is the median of those within a round, beside SQLite. */
function tableOf(results: Map<SetUp, Round[]>, pages: number): string {
	const [sqlite = []] = results.values();
	const header = [
		'',
		'× SQLite',
		'least',
		'most',
		'pages/s',
		'rows/s',
		'CPU ms a page',
		'of it PostgreSQL',
	];
	const lines = [...results].map(([{ name, isOnPostgres }, rounds]) => {
		const ratios = rounds.map((round, index) => sqlite[index].milliseconds / round.milliseconds);
		const seconds = median(rounds.map((round) => round.milliseconds)) / 1000;
		const ofPostgres = isOnPostgres ? median(rounds.map((round) => round.postgres)) / pages : 0;
		const ofService = median(rounds.map((round) => round.service)) / pages;
		return [
			name,
			twoDigits(median(ratios)),
			twoDigits(Math.min(...ratios)),
			twoDigits(Math.max(...ratios)),
			whole(pages / seconds),
			whole(rounds[0].rows / seconds),
			twoDigits(ofService + ofPostgres),
			twoDigits(ofPostgres),
		];
	});
	return table(header, lines);
}
