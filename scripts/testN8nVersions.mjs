import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './folders.mjs';
import { isInstalled } from './installed.mjs';
import { environmentWithNode24 } from './node24.mjs';
import { duration, step } from './progress.mjs';
import { installDependencies, installLocked, installNode24 } from './setup.mjs';

// The engine tests on the releases of n8n of test/node/n8n-versions/: all, or those that are named.

const versionsFolder = join(root, 'test/node/n8n-versions');

/** @type {string[]} */
const known = JSON.parse(readFileSync(join(versionsFolder, 'versions.json'), 'utf8'));

try {
	const named = process.argv.slice(2);
	const unknown = named.filter((name) => !known.includes(name));
	if (unknown.length > 0) {
		throw new Error(`There is no ${unknown.join(', ')} among ${known.join(', ')}.`);
	}
	await installDependencies();
	await installNode24();
	const outcomes = [];
	for (const version of named.length > 0 ? named : known) outcomes.push(await test(version));
	process.stdout.write(`\n${outcomes.map(({ line }) => line).join('\n')}\n`);
	process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
} catch (error) {
	process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}

/** @param {string} version */
async function test(version) {
	const folder = join(versionsFolder, version);
	if (!isInstalled(folder)) {
		await step(`Install the engine of n8n ${version} (half a minute)`, () =>
			installLocked(folder, environmentWithNode24()),
		);
	}
	const title = `n8n ${version} (n8n-core ${installed(folder, 'n8n-core')}, n8n-workflow ${installed(folder, 'n8n-workflow')})`;
	process.stdout.write(`\n━━ ${title}\n\n`);
	const startedAt = Date.now();
	const passed = await runJest(version);
	const took = duration(Date.now() - startedAt);
	return { passed, line: `${passed ? '✓' : '✗'} ${title}: ${took}` };
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {string}
 */
function installed(folder, name) {
	return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
		.version;
}

/**
 * @param {string} version
 * @returns {Promise<boolean>}
 */
function runJest(version) {
	// Two at once, because the tests wait more than they work; the old engines leave timers behind.
	const args = ['--selectProjects', `n8n-${version}`, '--maxWorkers=2', '--forceExit'];
	const child = spawn('node', [join(root, 'node_modules/jest/bin/jest.js'), ...args], {
		cwd: root,
		env: environmentWithNode24(),
		stdio: 'inherit',
	});
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => resolve(code === 0));
	});
}
