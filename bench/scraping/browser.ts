import { join } from 'node:path';
import { objectAt } from '../../playground/json.ts';
import { findBrowser } from '../../service/src/pages/browser/findBrowser.ts';
import { startChild } from '../ground/child.ts';
import { machine, machineLine } from '../report/machine.ts';
import { madeColumns } from './columns.ts';
import { compare, comparisonTable } from './rounds.ts';
import { disagreements } from './sameRows.ts';

/** The local service and Crawlee, both in a browser, on pages that scripts make. `--quick`: one round. */
const rounds = process.argv.includes('--quick') ? 1 : 5;
const pages = 150;

const browser = await findBrowser(process.env.SERVICE_BROWSER, process.env.PATH ?? '');
if (browser === undefined) throw new Error('There is no browser.');
const pageServer = await startChild(join(import.meta.dirname, 'madePages.ts'), []);
const { port } = objectAt(pageServer.ready);
const addresses = Array.from(
	{ length: pages },
	(_, page) => `http://127.0.0.1:${Number(port)}/${page}.html`,
);

try {
	process.stdout.write(
		`${machineLine(machine())}; ${browser}; ${pages} pages, medians of ${rounds} rounds\n\n`,
	);
	const course = { rounds, columns: madeColumns, browser };
	const one = await compare(addresses, { ...course, atOnce: 1 });
	const four = await compare(addresses, { ...course, atOnce: 4 });
	process.stdout.write(`${comparisonTable([one, four])}\n`);
	for (const comparison of [one, four]) {
		const differing = disagreements(comparison, madeColumns).filter((each) => each.differing > 0);
		if (differing.length > 0) throw new Error('Values that mean the same to both differ.');
	}
} finally {
	await pageServer.stop();
}
