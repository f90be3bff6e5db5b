import { join, resolve } from 'node:path';
import { objectAt } from '../../playground/json.ts';
import { startChild } from '../ground/child.ts';
import { machine, machineLine } from '../report/machine.ts';
import { columns } from './columns.ts';
import { besideEarlier, pairsTable } from './earlier.ts';
import { memoryOver, memoryTable } from './memory.ts';
import { compare, comparisonTable } from './rounds.ts';
import { disagreements, disagreementTable } from './sameRows.ts';

if (process.argv.includes('--browser')) {
	await import('./browser.ts');
	process.exit();
}

/**
 * The local service and Crawlee on the same real pages. `--quick`: fewer pages, one round. `--earlier FOLDER`:
 * instead, the service and that of another checkout.
 */
const earlier = process.argv.indexOf('--earlier') + 1;
const quick = process.argv.includes('--quick');
const pages = quick ? 200 : 1000;
const rounds = quick ? 1 : earlier > 0 ? 12 : 5;
const lookAt = quick ? [500, 1000] : [1000, 5000, 10_000];

const where = machine();
const pageServer = await startChild(join(import.meta.dirname, 'pageServer.ts'), [String(pages)]);
const { port, bytes } = objectAt(pageServer.ready);
const addresses = Array.from(
	{ length: pages },
	(_, page) => `http://127.0.0.1:${Number(port)}/${page}.html`,
);

try {
	print(
		`${machineLine(where)}; ${pages} pages of ${Math.round(Number(bytes) / pages / 1000)} kB on average, medians of ${rounds} rounds`,
	);
	if (earlier > 0) {
		const course = { checkout: resolve(process.argv[earlier]), rounds };
		const pairs = [
			await besideEarlier(addresses, { ...course, atOnce: 4 }),
			await besideEarlier(addresses, { ...course, atOnce: 16 }),
		];
		print(pairsTable(pages, pairs));
		await pageServer.stop();
		process.exit();
	}
	const four = await compare(addresses, { atOnce: 4, rounds, columns });
	const sixteen = await compare(addresses, { atOnce: 16, rounds, columns });
	print(comparisonTable([four, sixteen]));
	const found = disagreements(sixteen, columns);
	print(disagreementTable(found));
	const most = Math.max(...lookAt);
	const many = Array.from({ length: most }, (_, index) => `${addresses[index % pages]}?${index}`);
	print(memoryTable(await memoryOver(many, 16, lookAt)));
	if (found.some(({ sameMeaning, differing }) => sameMeaning && differing > 0)) {
		throw new Error('Values that mean the same to both differ.');
	}
} finally {
	await pageServer.stop();
}

/** Each part as soon as it is known: the whole takes minutes. */
function print(part: string): void {
	process.stdout.write(`${part}\n\n`);
}
