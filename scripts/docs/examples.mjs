import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../folders.mjs';
import { pages, trackedFiles } from './pages.mjs';

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const tests = trackedFiles.filter((path) => /^test\/.*\.ts$/.test(path));
const testCode = tests.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');

/** Examples that no test runs, and commands that there are not. @returns {string[]} */
export function untriedExamples() {
	const templates = trackedFiles.filter((path) =>
		/^(?:service\/)?examples\/[^/]+\.json$/.test(path),
	);
	const untried = templates.filter((path) => !testCode.includes(`'${basename(path)}'`));
	return [
		...untried.map((path) => `${path}: no test runs it`),
		...pages.flatMap((page) => [...unreadBlocks(page), ...unknownCommands(page)]),
	];
}

/**
 * JSON on a page that no test reads: tests name the page by its folders.
 * @param {import('./pages.mjs').Page} page
 */
function unreadBlocks({ path, tokens }) {
	const hasJson = tokens.some(
		(token) => token.type === 'code' && /^jsonl?$/.test(token.lang ?? ''),
	);
	const named = path
		.split('/')
		.map((name) => `'${name}'`)
		.join(', ');
	return hasJson && !testCode.includes(named) ? [`${path}: no test reads its JSON`] : [];
}

/** @param {import('./pages.mjs').Page} page */
function unknownCommands({ path, text }) {
	const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(
		([, name = '']) => name,
	);
	const missing = [...new Set(named)].filter((name) => !Object.hasOwn(scripts, name));
	return missing.map((name) => `${path}: package.json has no script "${name}"`);
}
