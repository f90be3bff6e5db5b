import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { root } from '../folders.mjs';
import { pack, upToDateTarball } from '../pack.mjs';
import { untriedExamples } from './examples.mjs';
import { brokenLinks } from './links.mjs';
import { strayOptions } from './options.mjs';
import { pages } from './pages.mjs';
import { strayPictures } from './pictures.mjs';

// Whether what is written fits what is there: links, pictures, options of the nodes, examples.

const findings = [
	...brokenLinks(),
	...strayPictures(),
	...strayOptions(await descriptions()),
	...untriedExamples(),
];
process.stdout.write(findings.map((finding) => `${finding}.\n`).join(''));
process.stdout.write(`Pages: ${pages.length}. Findings: ${findings.length}.\n`);
process.exitCode = findings.length === 0 ? 0 : 1;

/**
 * What the packed nodes say of themselves.
 * @returns {Promise<import('./options.mjs').Field[]>}
 */
async function descriptions() {
	const tarball = upToDateTarball('node') ?? (await pack('node'));
	// Below the root, where the package finds n8n-workflow, as it does in n8n.
	mkdirSync(join(root, '.tmp'), { recursive: true });
	const folder = mkdtempSync(join(root, '.tmp', 'documented-'));
	try {
		execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
		const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		const require = createRequire(import.meta.url);
		return n8n.nodes.map((/** @type {string} */ file) => {
			const Node = require(join(folder, file))[basename(file, '.node.js')];
			return { options: new Node().description.properties };
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
