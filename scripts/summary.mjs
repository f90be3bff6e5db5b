import { relative } from 'node:path';
import { bothEnds } from './command.mjs';
import { root } from './folders.mjs';
import { duration } from './progress.mjs';

/** @typedef {import('./runSuite.mjs').Outcome} Outcome */

const maxSlowest = 5;
const maxLinesOfFailure = 30;
const maxLengthOfLine = 300;

/**
 * What came of all suites: what failed once more, a table of the suites with the files that took
 * longest, a line for each test that failed, since of a long output people often see the end alone,
 * and the numbers alone on the last line, as CI reads them.
 * @param {Outcome[]} outcomes
 * @param {number} took in milliseconds
 */
export function summary(outcomes, took) {
	const failed = outcomes.filter(({ passed }) => !passed);
	const verdict = failed.length === 0 ? 'All checks passed' : `Failed: ${titles(failed)}`;
	const total = totals(outcomes);
	const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
	return [
		...failed.flatMap((outcome) => [heading(`Failed: ${outcome.title}`), failures(outcome)]),
		heading('Summary'),
		...table(outcomes),
		'',
		`${verdict} in ${duration(took)}.`,
		...failed.flatMap(failedTests).map(inOneLine),
		`${total.passed} passed, ${total.failed} failed${skipped}`,
		'',
	].join('\n');
}

/**
 * How many tests passed, failed and were skipped in all suites.
 * @param {Outcome[]} outcomes
 */
export function totals(outcomes) {
	const all = outcomes.map(counts);
	/** @param {keyof ReturnType<typeof counts>} kind */
	const sum = (kind) => all.reduce((total, one) => total + one[kind], 0);
	return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** @param {string} text */
export function heading(text) {
	return `\n━━ ${text} ${'━'.repeat(Math.max(0, 76 - text.length))}\n`;
}

/** @param {Outcome[]} outcomes */
function table(outcomes) {
	const width = Math.max(...outcomes.map(({ title }) => title.length));
	return outcomes.flatMap((outcome) => {
		const { title, passed, took } = outcome;
		const sign = passed ? '✓' : '✗';
		return [
			`${sign} ${title.padEnd(width)} ${duration(took).padStart(12)}  ${inWords(outcome)}`.trimEnd(),
			...slowestFiles(outcome).map((line) => `    ${line}`),
		];
	});
}

/** @param {Outcome} outcome */
function inWords(outcome) {
	return Object.entries(counts(outcome))
		.filter(([, number]) => number > 0)
		.map(([kind, number]) => `${number} ${kind}`)
		.join(', ');
}

/** @param {Outcome} outcome */
function slowestFiles({ report }) {
	return (report?.testResults ?? [])
		.map(({ name, startTime, endTime }) => ({ name, took: endTime - startTime }))
		.sort((a, b) => b.took - a.took)
		.slice(0, maxSlowest)
		.map(({ name, took }) => `${duration(took).padStart(12)}  ${relative(root, name)}`);
}

/**
 * A suite that failed without a failed test, since it is no suite of tests or did not come to its end,
 * counts as one: the numbers never look as if nothing had failed.
 * @param {Outcome} outcome
 */
function counts({ passed, report }) {
	const failed = report?.numFailedTests ?? 0;
	return {
		passed: report?.numPassedTests ?? 0,
		failed: passed ? failed : Math.max(1, failed),
		skipped: report?.numPendingTests ?? 0,
	};
}

/** @param {Outcome} outcome */
function failures(outcome) {
	const found = failedTests(outcome).map(
		({ file, name, text }) => `${file}: ${firstLines([name, text].filter(Boolean).join('\n\n'))}\n`,
	);
	return found.length > 0 ? found.join('\n') : bothEnds(outcome.output);
}

/**
 * The tests that failed. A file that could not be loaded has none, and stands for itself.
 * @param {Outcome} outcome
 */
function failedTests({ report }) {
	return (report?.testResults ?? [])
		.filter(({ status }) => status === 'failed')
		.flatMap(({ name, message, assertionResults }) => {
			const file = relative(root, name);
			const tests = assertionResults
				.filter(({ status }) => status === 'failed')
				.map(({ fullName, failureMessages }) => ({
					file,
					name: fullName,
					text: (failureMessages ?? []).join('\n'),
				}));
			return tests.length > 0 ? tests : [{ file, name: '', text: message }];
		});
}

/** @param {ReturnType<typeof failedTests>[number]} test */
function inOneLine({ file, name, text }) {
	const [why] = text.trim().split('\n');
	return `✗ ${[file, name, why].filter(Boolean).join(': ').slice(0, maxLengthOfLine)}`;
}

/** @param {string} text */
function firstLines(text) {
	return text.trimEnd().split('\n').slice(0, maxLinesOfFailure).join('\n');
}

/** @param {Outcome[]} outcomes */
function titles(outcomes) {
	return outcomes.map(({ title }) => title).join('; ');
}
