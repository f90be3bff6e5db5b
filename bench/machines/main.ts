import { startPostgres } from '../ground/postgres.ts';
import { machine, machineLine } from '../report/machine.ts';
import { hotBatchTable } from './hotBatch.ts';
import { manyRowsTables } from './manyRows.ts';
import { pagesTables } from './pages.ts';
import { readersTable } from './readers.ts';

/**
 * The service on PostgreSQL, as one process and as several, beside one on SQLite. The arguments: which parts, all
 * unless said; `--quick`: a tenth, in one round.
 */
const isQuick = process.argv.includes('--quick');
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const postgres = await startPostgres();
const parts: Record<string, () => Promise<string>> = {
	pages: () =>
		pagesTables(postgres, isQuick ? { pages: 200, rounds: 1 } : { pages: 1000, rounds: 3 }),
	hot: () => hotBatchTable(postgres, { seconds: isQuick ? 1 : 5 }),
	rows: () => manyRowsTables(postgres, { rows: isQuick ? 100_000 : 1_000_000 }),
	readers: () => readersTable(postgres, { seconds: isQuick ? 1 : 5 }),
};
const unknown = named.find((name) => parts[name] === undefined);
if (unknown !== undefined) throw new Error(`There is no part ${unknown}.`);

try {
	process.stdout.write(`${machineLine(machine())}\n\n`);
	for (const [name, part] of Object.entries(parts)) {
		if (named.length > 0 && !named.includes(name)) continue;
		process.stdout.write(`${await part()}\n\n`);
	}
} finally {
	await postgres.stop();
}
