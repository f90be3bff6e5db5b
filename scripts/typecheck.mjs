import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './folders.mjs';
import { node24 } from './node24.mjs';
import { sideBySide } from './sideBySide.mjs';

// TypeScript on each part that has a tsconfig.json. What it knows of unchanged files is kept in .tmp/.

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const exclude = ['**/node_modules', '.tmp', '.playground', 'dist'];
const parts = globSync('**/tsconfig.json', { cwd: root, exclude }).map(dirname);

const endings = await sideBySide(
	parts.map((part) => ({ part, load: 1 })),
	availableParallelism(),
	({ part }) => check(part),
);
process.exitCode = endings.every((passed) => passed) ? 0 : 1;

/**
 * @param {string} part
 * @returns {Promise<boolean>}
 */
function check(part) {
	const known = join(root, '.tmp', 'types', `${part.replaceAll(/[/\\]/g, '-')}.tsbuildinfo`);
	const args = ['--noEmit', '--incremental', '--tsBuildInfoFile', known, '-p', part];
	const child = spawn(node24, [compiler, ...args], { cwd: root, stdio: 'inherit' });
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => resolve(code === 0));
	});
}
