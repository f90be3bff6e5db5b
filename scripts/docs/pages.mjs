import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { marked } from 'marked';
import { root } from '../folders.mjs';

/**
 * A page of the documentation, as GitHub shows it.
 * @typedef {object} Page
 * @property {string} path below the root, with slashes
 * @property {string} text
 * @property {import('marked').Token[]} tokens all of them, also those inside of others
 * @property {Set<string>} anchors of its headings
 */

/** Files that git knows, those that are new among them, below the root. */
export const trackedFiles = execFileSync(
	'git',
	['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
	{ cwd: root, encoding: 'utf8' },
)
	.split('\0')
	.filter((path) => path !== '');

/** What is no documentation: tables that tests read. */
const tables = 'test/';

/** @type {readonly Page[]} */
export const pages = trackedFiles
	.filter((path) => path.endsWith('.md') && !path.startsWith(tables))
	.map(readPage);

/** @param {string} path @returns {Page} */
function readPage(path) {
	const text = readFileSync(join(root, path), 'utf8');
	/** @type {import('marked').Token[]} */
	const tokens = [];
	marked.walkTokens(marked.lexer(text), (token) => void tokens.push(token));
	const slugger = new GithubSlugger();
	const headings = tokens.filter((token) => token.type === 'heading');
	return {
		path,
		text,
		tokens,
		anchors: new Set(headings.map((each) => slugger.slug(plain(each)))),
	};
}

/** @param {import('marked').Token} token @returns {string} what is read of it */
export function plain(token) {
	if ('tokens' in token && token.tokens) return token.tokens.map(plain).join('');
	return 'text' in token && typeof token.text === 'string' ? token.text : '';
}
