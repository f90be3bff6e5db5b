import { spawn } from 'node:child_process';
import { hasBrowser } from './browser.mjs';
import { root } from './folders.mjs';
import { environmentWithNode24 } from './node24.mjs';
import { duration } from './progress.mjs';
import { setUp } from './setup.mjs';

/**
 * Stages one after the other, in the order in which they are likely to fail. The rows of a stage run
 * side by side, where one of them mostly waits or uses one core; the checks of a row one after the other.
 * @type {{ title: string, script: string }[][][]}
 */
const stages = [
	[
		[{ title: 'Lint', script: 'lint' }],
		[
			{ title: 'What n8n’s reviewers check', script: 'scan' },
			{ title: 'Types', script: 'typecheck' },
		],
	],
	[
		[{ title: 'Unit tests', script: 'test:unit' }],
		[{ title: 'Faults: each operation against each fault', script: 'test:faults' }],
	],
	[
		[
			{ title: 'Service tests, and its console in Chromium', script: 'test:service' },
			{ title: 'Engine tests: the node in n8n-core', script: 'test:engine' },
			{ title: 'End-to-end tests: the packed package in a real n8n', script: 'test:e2e' },
			{ title: 'Examples: each imported into a real n8n and run', script: 'test:examples' },
		],
	],
];

/** Why tests were skipped, and what to do. */
const noBrowser =
	'Skipped: the tests that need a browser. There is no Chromium or Chrome, and none could be installed here. On Debian or Ubuntu, let root run "apt-get install -y chromium", then run npm test again.';

/**
 * @typedef {{ title: string, passed: boolean, took: number, counts: string }} Outcome
 */

try {
	heading('Set-up');
	await setUp({ tests: true });
	const startedAt = Date.now();
	const outcomes = [];
	for (const rows of stages) outcomes.push(...(await runStage(rows)));
	summarize(outcomes, Date.now() - startedAt);
	process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
} catch (error) {
	process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}

/**
 * All checks run even if one fails: a finding of the linter must not hide a broken operation.
 * @param {{ title: string, script: string }[][]} rows
 */
async function runStage(rows) {
	const run = rows.length > 1 ? runBeside : runAlone;
	const outcomes = rows.map(async (row) => {
		const ended = [];
		for (const check of row) ended.push(await run(check));
		return ended;
	});
	return (await Promise.all(outcomes)).flat();
}

/** @param {{ title: string, script: string }} check */
async function runAlone(check) {
	heading(`${check.title} (npm run ${check.script})`);
	return await runCheck(check, (text) => process.stdout.write(text));
}

/**
 * What it says is shown once it has ended, since others run beside it.
 * @param {{ title: string, script: string }} check
 */
async function runBeside(check) {
	process.stdout.write(`… ${check.title} (npm run ${check.script})\n`);
	let output = '';
	const outcome = await runCheck(check, (text) => (output += text));
	heading(`${check.title} (npm run ${check.script})`);
	process.stdout.write(output);
	return outcome;
}

/**
 * Runs one npm script, with its output passed on, and picks jest's count of tests from it.
 * @param {{ title: string, script: string }} check
 * @param {(text: string) => void} say
 * @returns {Promise<Outcome>}
 */
function runCheck({ title, script }, say) {
	const startedAt = Date.now();
	const child = spawn('npm', ['run', '--silent', script], {
		cwd: root,
		env: environmentWithNode24(),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
			output += text;
			say(text);
		});
	}
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => {
			const counts = /^Tests:\s+(.*)$/m.exec(output)?.[1] ?? '';
			resolve({ title, passed: code === 0, took: Date.now() - startedAt, counts });
		});
	});
}

/** @param {Outcome[]} outcomes @param {number} took */
function summarize(outcomes, took) {
	heading('Summary');
	const width = Math.max(...outcomes.map(({ title }) => title.length));
	for (const { title, passed, took, counts } of outcomes) {
		const line = [passed ? '✓' : '✗', title.padEnd(width), duration(took).padStart(12), '', counts];
		process.stdout.write(`${line.join(' ').trimEnd()}\n`);
	}
	/** @param {'passed' | 'failed' | 'skipped'} kind */
	const tests = (kind) => outcomes.reduce((sum, { counts }) => sum + count(counts, kind), 0);
	const failed = outcomes.filter(({ passed }) => !passed).map(({ title }) => title);
	const verdict = failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join('; ')}`;
	process.stdout.write(`\n${verdict} in ${duration(took)}.\n`);
	const skipped = tests('skipped');
	const more = skipped > 0 ? `, ${skipped} skipped` : '';
	process.stdout.write(`${tests('passed')} passed, ${tests('failed')} failed${more}\n`);
	if (skipped > 0 && !hasBrowser()) process.stdout.write(`\n${noBrowser}\n`);
}

/** @param {string} counts such as "1 failed, 24 passed, 25 total" @param {string} kind */
function count(counts, kind) {
	return Number(new RegExp(`(\\d+) ${kind}`).exec(counts)?.[1] ?? 0);
}

/** @param {string} text */
function heading(text) {
	process.stdout.write(`\n━━ ${text} ${'━'.repeat(Math.max(0, 76 - text.length))}\n\n`);
}
