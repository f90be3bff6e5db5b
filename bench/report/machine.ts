import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { textAt } from '../../playground/json.ts';
import { root } from '../ground/folders.ts';

/** Where, when and with what something was measured. */
export interface Machine {
	date: string;
	processors: number;
	gibibytes: number;
	versions: string[];
	/** Processes that wanted to run, over the minute before: above `processors`, they had to wait. */
	loadBefore: number;
}

/** This machine, with the versions of the packages in these folders besides that of Node.js. */
export function machine(...packages: string[]): Machine {
	return {
		date: new Date().toISOString().slice(0, 10),
		processors: availableParallelism(),
		gibibytes: Math.round(totalmem() / 2 ** 30),
		versions: [`Node.js ${process.versions.node}`, ...packages.map(nameAndVersion)],
		loadBefore: loadavg()[0],
	};
}

/** The line above a run's tables. */
export function machineLine({
	date,
	processors,
	gibibytes,
	versions,
	loadBefore,
}: Machine): string {
	return `${date}, ${processors} processors, ${gibibytes} GiB, ${versions.join(', ')}, load before ${loadBefore.toFixed(1)}`;
}

function nameAndVersion(folder: string): string {
	const manifest: unknown = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
	return `${textAt(manifest, 'name')} ${textAt(manifest, 'version')}`;
}
