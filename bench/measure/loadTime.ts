import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { compiledPackage, root } from '../ground/folders.ts';
import { median } from './measurement.ts';

const files = [
	'credentials/CloudScrapingApi.credentials.js',
	'nodes/CloudScraping/CloudScraping.node.js',
	'nodes/CloudScraping/CloudScrapingTrigger.node.js',
].map((file) => join(compiledPackage, file));

const script = `
	require('n8n-workflow');
	const start = performance.now();
	for (const file of ${JSON.stringify(files)}) require(file);
	process.stdout.write(String(performance.now() - start));
`;

/** Milliseconds that loading the nodes and the credential adds to loading n8n-workflow. */
export function loadTime(): number {
	return median(
		Array.from({ length: 11 }, () =>
			Number(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })),
		),
	);
}
