import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../ground/folders.ts';

/** Where and when something was measured. */
export interface Hardware {
	date: string;
	processors: number;
	gibibytes: number;
	node: string;
	/** Processes that wanted to run, over the minute before: above `processors`, they had to wait. */
	loadBefore: number;
}

/** The same with the n8n that took part. */
export interface Machine extends Hardware {
	n8nCore: string;
	n8nNodesBase: string;
}

export function hardware(): Hardware {
	return {
		date: new Date().toISOString().slice(0, 10),
		processors: availableParallelism(),
		gibibytes: Math.round(totalmem() / 2 ** 30),
		node: process.versions.node,
		loadBefore: loadavg()[0],
	};
}

export function machine(): Machine {
	return {
		...hardware(),
		n8nCore: versionOf('node_modules/n8n-core'),
		n8nNodesBase: versionOf('playground/node_modules/n8n-nodes-base'),
	};
}

function versionOf(folder: string): string {
	const manifest: unknown = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
	const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
	return isManifest ? String(manifest.version) : 'unknown';
}
