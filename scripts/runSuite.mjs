import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './folders.mjs';
import { environmentOfMachine } from './node24.mjs';

/** Where the test runners write what came of each test. Git-ignored. */
const reports = join(root, '.tmp', 'reports');

/**
 * The part of jest's and Vitest's JSON that is read here: it is the same.
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {TestFile[]} testResults
 */

/**
 * @typedef {object} TestFile
 * @property {string} name
 * @property {number} startTime
 * @property {number} endTime
 * @property {string} status
 * @property {string} message
 * @property {{ fullName: string, status: string, failureMessages: string[] | null }[]} assertionResults
 */

/**
 * @typedef {object} Outcome
 * @property {string} title
 * @property {string} script
 * @property {boolean} passed
 * @property {number} took in milliseconds
 * @property {string} output
 * @property {Report} [report] absent where no test runner came to its end
 */

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Runs the npm script of a suite to its end, whether or not it passes.
 * @param {import('./suites.mjs').Suite} suite
 * @returns {Promise<Outcome>}
 */
export function runSuite({ title, script }) {
	const file = join(reports, `${script.replaceAll(':', '-')}.json`);
	mkdirSync(reports, { recursive: true });
	rmSync(file, { force: true });
	const startedAt = Date.now();
	const child = spawn('npm', ['run', '--silent', script, '--', ...reportTo(file, script)], {
		cwd: root,
		// Some tests run on the Node.js that npm runs on.
		env: environmentOfMachine(),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
	}
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => {
			/** @type {Report | undefined} */
			const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
			const took = Date.now() - startedAt;
			resolve({ title, script, passed: code === 0, took, output, report });
		});
	});
}

/**
 * The arguments by which the runner of a script also writes its JSON.
 * @param {string} file
 * @param {string} script
 */
function reportTo(file, script) {
	const runner = /\b(jest|vitest)\b/.exec(scripts[script])?.[1];
	if (runner === 'jest') return ['--json', `--outputFile=${file}`];
	if (runner === 'vitest') {
		return ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
	}
	return [];
}
