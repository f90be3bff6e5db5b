import { join } from 'node:path';
import { listAt, objectAt, textAt } from '../../playground/json.ts';
import { startChild } from '../ground/child.ts';
import type { Column } from './columns.ts';
import type { Contender } from './contender.ts';

/** A crawler of Crawlee's, in a process of its own; `browser` is the one that it takes, if it needs one. */
export async function startCrawlee(columns: Column[], browser?: string): Promise<Contender> {
	const name = browser === undefined ? 'crawl.mjs' : 'crawlBrowser.mjs';
	const script = join(import.meta.dirname, 'crawlee', name);
	const env = { BENCH_BROWSER: browser ?? '' };
	const crawlee = await startChild(script, [], { env });
	return {
		pid: Number(objectAt(crawlee.ready).pid),
		async scrape(addresses, atOnce) {
			const answer = objectAt(await crawlee.ask({ addresses, atOnce, columns }));
			const rows = new Map(
				listAt(answer, 'rows').map((row) => [
					textAt(row, 'address'),
					listAt(row, 'values').map(String),
				]),
			);
			if (rows.size !== addresses.length) {
				throw new Error(`Crawlee has ${rows.size} rows of ${addresses.length} pages.`);
			}
			return {
				milliseconds: Number(answer.milliseconds),
				rows: addresses.map((address) => {
					const row = rows.get(address);
					if (!row) throw new Error(`Crawlee has no row of ${address}.`);
					return row;
				}),
			};
		},
		stop: async () => await crawlee.stop(),
	};
}
