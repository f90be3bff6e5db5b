import { join } from 'node:path';
import { listAt, objectAt, textAt } from '../../playground/json.ts';
import { startChild } from '../ground/child.ts';
import { columns } from './columns.ts';
import type { Contender } from './contender.ts';

/** Crawlee's CheerioCrawler, in a process of its own. */
export async function startCrawlee(): Promise<Contender> {
	const script = join(import.meta.dirname, 'crawlee', 'crawl.mjs');
	const crawlee = await startChild(script, []);
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
