import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { hasBrowser } from './browser.mjs';
import { hasPostgres } from './debian.mjs';
import { runSuite } from './runSuite.mjs';
import { setUp } from './setup.mjs';
import { sideBySide } from './sideBySide.mjs';
import { longSuites, shortSuites } from './suites.mjs';
import { heading, summary, totals } from './summary.mjs';

// The tests that a change must pass; with --all everything, with --long the rest of everything, with
// --starved beside two busy loops, as on a machine that others use as well.

const busyLoops = 2;

/** Why tests were skipped, and what to do. */
const noBrowser =
	'Skipped: the tests that need a browser. There is no Chromium or Chrome, and none could be installed here. On Debian or Ubuntu, let root run "apt-get install -y chromium", then run npm test again.';

/** The same of PostgreSQL. */
const noPostgres =
	'Skipped: the tests that need a PostgreSQL, of which there is none here. On Debian or Ubuntu, let root run "apt-get install -y postgresql", then run npm test again.';

/** @param {string} name */
const has = (name) => process.argv.includes(name);
const isLong = has('--all') || has('--long');
const parts = [has('--long') ? [] : shortSuites, isLong ? longSuites : []];

try {
	say(heading('Set-up'));
	await setUp({ tests: true, foreign: isLong, queue: isLong, n8nVersions: isLong });
	say('');
	const endLoops = has('--starved') ? beginBusyLoops() : () => {};
	const startedAt = Date.now();
	const outcomes = [];
	try {
		// Somewhat more than there is: each suite also waits.
		const room = 1.3 * Math.max(2, availableParallelism());
		// All checks run even if one fails: a finding of the linter must not hide a broken operation.
		for (const suites of parts) outcomes.push(...(await sideBySide(suites, room, runAndShow)));
	} finally {
		endLoops();
	}
	say(summary(outcomes, Date.now() - startedAt));
	if (totals(outcomes).skipped > 0 && !hasBrowser()) say(`${noBrowser}\n`);
	if (totals(outcomes).skipped > 0 && !hasPostgres()) say(`${noPostgres}\n`);
	process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
} catch (error) {
	process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}

/**
 * What it says is shown once it has ended, since others run beside it.
 * @param {import('./suites.mjs').Suite} suite
 */
async function runAndShow(suite) {
	say(`… ${suite.title} (npm run ${suite.script})`);
	const outcome = await runSuite(suite);
	say(heading(`${suite.title} (npm run ${suite.script})`));
	say(outcome.output);
	return outcome;
}

/** Keeps cores busy until the function that it returns is called, or this process is no more. */
function beginBusyLoops() {
	const loop = 'const { ppid } = process; while (process.ppid === ppid);';
	const loops = Array.from({ length: busyLoops }, () => spawn(process.execPath, ['--eval', loop]));
	return () => loops.forEach((child) => child.kill());
}

/** @param {string} text */
function say(text) {
	process.stdout.write(`${text}\n`);
}
