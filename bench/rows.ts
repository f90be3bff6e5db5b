import { compilePackage } from './ground/compile.ts';
import { startService } from './ground/service.ts';
import { compare, warmUpRows } from './measure/manyRows.ts';
import { machine, machineLine } from './report/machine.ts';
import { writeRawResult } from './report/rawResult.ts';
import { rowsTable } from './report/rows.ts';

/** Whether time per row and memory stay the same when there are many rows. `--quick`: a tenth, once. */
const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 3;
const share = quick ? 0.1 : 1;

const comparisons = [
	{ output: 'csv', few: 100_000 * share, many: 1_000_000 * share },
	{ output: 'jsonl', few: 100_000 * share, many: 1_000_000 * share },
	{ output: 'items', few: 20_000 * share, many: 200_000 * share },
] as const;

compilePackage();
const where = machine('node_modules/n8n-core');
const counts = [warmUpRows, ...comparisons.flatMap(({ few, many }) => [few, many])];
process.stderr.write('filling the store of the service\n');
const service = await startService({ rowCounts: [...new Set(counts)] });
const outcomes = await compare([...comparisons], service, rounds);
await service.stop();

process.stdout.write(`${machineLine(where)}\n\n${rowsTable(outcomes)}\n`);
writeRawResult('rows', { machine: where, outcomes });
