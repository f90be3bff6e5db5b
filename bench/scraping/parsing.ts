import { join } from 'node:path';
import { listAt, objectAt } from '../../playground/json.ts';
import { startChild } from '../ground/child.ts';
import { columns } from './columns.ts';
import type { Contender } from './contender.ts';

/**
 * What no service can beat that parses as this one does: the same pages from memory, parsed and read in as
 * many threads as there are processors, each page where it is needed; no network, no store.
 */
export async function startParsing(pages: number): Promise<Contender> {
	const script = join(import.meta.dirname, 'parsingProcess.ts');
	const parsing = await startChild(script, [String(pages)]);
	return {
		pid: Number(objectAt(parsing.ready).pid),
		async scrape(addresses) {
			const numbers = addresses.map((address) => Number(/(\d+)\.html/.exec(address)?.[1]));
			const answer = objectAt(await parsing.ask({ numbers, addresses, columns: [...columns] }));
			const rows = listAt(answer, 'rows').map((row) => (Array.isArray(row) ? row.map(String) : []));
			return { milliseconds: Number(answer.milliseconds), rows };
		},
		stop: async () => await parsing.stop(),
	};
}
