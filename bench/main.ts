import { compilePackage } from './ground/compile.ts';
import { startService } from './ground/service.ts';
import { loadTime } from './measure/loadTime.ts';
import { measureSideBySide } from './measure/sideBySide.ts';
import { machine, machineLine } from './report/machine.ts';
import { plot } from './report/plot.ts';
import { writeRawResult, writeResult } from './report/rawResult.ts';
import { sideBySide } from './report/sideBySide.ts';

/** The node, what one builds without it, and the limit, side by side. `--quick`: one round. */
const rounds = process.argv.includes('--quick') ? 1 : 5;
const rows = 20_000;

compilePackage();
const where = machine('node_modules/n8n-core', 'playground/node_modules/n8n-nodes-base');
const loadMilliseconds = loadTime();
const service = await startService({ rowCounts: [rows] });
const results = await measureSideBySide(service, service.batches[0], rounds);
await service.stop();

const report = [
	machineLine(where),
	`${rows.toLocaleString('en')} rows of five columns, 20 ms away, ${rounds} × each, medians; × in the tables is the time relative to that one.`,
	sideBySide(results),
	`Loading the nodes and the credential adds ${loadMilliseconds.toFixed(1)} ms to loading n8n-workflow.`,
];
process.stdout.write(`${report.join('\n\n')}\n`);
writeRawResult('sideBySide', { machine: where, loadMilliseconds, rows, results });
writeResult('rows-per-second.svg', plot(results, where));
