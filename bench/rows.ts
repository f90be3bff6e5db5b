import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from './ground/batches.ts';
import { compilePackage } from './ground/compile.ts';
import { resultsFolder } from './ground/folders.ts';
import { startService } from './ground/service.ts';
import { compare, WARM_UP_ROWS } from './measure/manyRows.ts';
import { machine } from './report/machine.ts';
import { rowsTable } from './report/rows.ts';

/** Whether time per row and memory stay the same when there are many rows. */
const ROUNDS = 3;

const comparisons = [
	{ output: 'csv', few: 100_000, many: 1_000_000 },
	{ output: 'jsonl', few: 100_000, many: 1_000_000 },
	{ output: 'items', few: 20_000, many: 200_000 },
] as const;

compilePackage();
const where = machine();
const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-bench-'));
const database = join(folder, 'service.db');
const counts = [WARM_UP_ROWS, ...comparisons.flatMap(({ few, many }) => [few, many])];
process.stderr.write('filling the store of the service\n');
const batches = fillStore(database, [...new Set(counts)]);
const service = await startService(database);
const outcomes = await compare([...comparisons], service, batchOf, ROUNDS);
await service.stop();
rmSync(folder, { recursive: true });

process.stdout.write(`${rowsTable(outcomes)}\n`);
const json = `${JSON.stringify({ machine: where, outcomes }, undefined, '\t')}\n`;
writeFileSync(join(resultsFolder, 'rows.json'), json);

function batchOf(rows: number) {
	const batch = batches.find((candidate) => candidate.rows === rows);
	if (!batch) throw new Error(`There is no batch of ${rows} rows`);
	return batch;
}
