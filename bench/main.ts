import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePackage } from './ground/compile.ts';
import { resultsFolder } from './ground/folders.ts';
import { startService } from './ground/service.ts';
import { loadTime } from './measure/loadTime.ts';
import { plan, ROWS } from './measure/plan.ts';
import type { Result } from './measure/results.ts';
import { runPlan } from './measure/runPlan.ts';
import { machine } from './report/machine.ts';
import { plot } from './report/plot.ts';
import { sideBySide } from './report/sideBySide.ts';
import { serviceShare, targetsOf, targetTable } from './report/targets.ts';

/** The node, what one builds without it, and the limit, side by side. `--quick`: one round, no files. */
const quick = process.argv.includes('--quick');

compilePackage();
const where = machine();
const loadMilliseconds = loadTime();
const service = await startService({ rowCounts: [ROWS] });
const results: Result[] = [];
for await (const group of runPlan(plan(quick), service, service.batches[0])) {
	results.push(...group);
	if (!quick) writeResults();
}
await service.stop();

const report = [
	`${ROWS.toLocaleString('en')} rows of five columns. Median of the rounds; × is the time relative to it.`,
	sideBySide(results),
	targetTable(targetsOf(results)),
	serviceShare(results),
	`Loading the nodes and the credential adds ${loadMilliseconds.toFixed(1)} ms to loading n8n-workflow.`,
];
process.stdout.write(`${report.join('\n\n')}\n`);

/** After each group, so that a run that is broken off leaves what it has measured. */
function writeResults(): void {
	const targets = targetsOf(results);
	const written = { machine: where, loadMilliseconds, rows: ROWS, targets, results };
	const json = `${JSON.stringify(written, undefined, '\t')}\n`;
	writeFileSync(join(resultsFolder, 'sideBySide.json'), json);
	writeFileSync(join(resultsFolder, 'sideBySide.svg'), plot(results, where));
}
