import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePackage } from './ground/compile.ts';
import { resultsFolder } from './ground/folders.ts';
import { startService } from './ground/service.ts';
import { compare, warmUpRows } from './measure/manyRows.ts';
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
const counts = [warmUpRows, ...comparisons.flatMap(({ few, many }) => [few, many])];
process.stderr.write('filling the store of the service\n');
const service = await startService({ rowCounts: [...new Set(counts)] });
const outcomes = await compare([...comparisons], service, ROUNDS);
await service.stop();

process.stdout.write(`${rowsTable(outcomes)}\n`);
const json = `${JSON.stringify({ machine: where, outcomes }, undefined, '\t')}\n`;
writeFileSync(join(resultsFolder, 'rows.json'), json);
