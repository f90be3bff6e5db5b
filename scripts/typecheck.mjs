import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from './folders.mjs';
import { node24 } from './node24.mjs';
import { sideBySide } from './sideBySide.mjs';
import { typePrograms } from './typePrograms.mjs';

// TypeScript on everything. What it knows of unchanged files is kept in .tmp/.

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const endings = await sideBySide(
	Object.keys(typePrograms).map((program) => ({ program, load: 1 })),
	availableParallelism(),
	({ program }) => check(program),
);
process.exitCode = endings.every((passed) => passed) ? 0 : 1;

/**
 * @param {string} program its tsconfig.json
 * @returns {Promise<boolean>}
 */
function check(program) {
	const known = join(root, '.tmp', 'types', `${program.replaceAll('/', '-')}.tsbuildinfo`);
	const args = ['--noEmit', '--incremental', '--tsBuildInfoFile', known, '-p', program];
	// Room for the many short-lived objects of a compiler, so that they are collected less often.
	const node = ['--max-semi-space-size=64', compiler];
	const child = spawn(node24, [...node, ...args], { cwd: root, stdio: 'inherit' });
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => resolve(code === 0));
	});
}
