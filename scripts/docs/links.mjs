import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../folders.mjs';
import { pages, trackedFiles } from './pages.mjs';

const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The repository on the web, whose README is its first page. */
const repository = homepage.replace('#readme', '');

/** Folders whose code tells people, or other developers, where something is written. */
const speaking =
	/^(nodes|credentials|service\/src|playground|examples|\.github|scripts|test)\/.*\.(ts|mjs|js|json|yml)$/;

/** Links to pages, files and headings that are not there, and pages that no link leads to. @returns {string[]} */
export function brokenLinks() {
	return [
		...pages.flatMap(brokenInPage),
		...trackedFiles.filter(speaks).flatMap(brokenInCode),
		...lonelyPages(),
	];
}

/** @returns {string[]} */
function lonelyPages() {
	const reached = pages.flatMap((page) => linksOf(page).map((href) => fileOf(page.path, href)));
	const files = new Set(reached.map((file) => file?.split('#')[0]));
	const lonely = pages.filter(({ path }) => path.startsWith('docs/') && !files.has(path));
	return lonely.map(({ path }) => `${path}: no page leads to this one`);
}

/** @param {import('./pages.mjs').Page} page */
function brokenInPage(page) {
	return linksOf(page)
		.map((href) => brokenFrom(page.path, href))
		.filter((finding) => finding !== undefined);
}

/** @param {import('./pages.mjs').Page} page @returns {string[]} also those of pictures */
function linksOf({ tokens }) {
	return tokens.flatMap((token) => {
		if (token.type === 'link' || token.type === 'image') return [String(token.href)];
		if (token.type !== 'html') return [];
		const inHtml = String(token.raw).matchAll(/\b(?:src|srcset|href)="([^"]+)"/g);
		return [...inHtml].map(([, href = '']) => href);
	});
}

/** @param {string} path */
function speaks(path) {
	return speaking.test(path) && !path.endsWith('package-lock.json');
}

/** @param {string} path */
function brokenInCode(path) {
	const text = readFileSync(join(root, path), 'utf8');
	const links = [...text.matchAll(/https:\/\/github\.com\/[\w./#-]+/g)].map(([link]) => link);
	const named = [...text.matchAll(/(?<![\w./-])(?:docs|service|bench|examples)\/[\w./-]+\.md\b/g)];
	return [...links, ...named.map(([file]) => `/${file}`)]
		.map((href) => brokenFrom(path, href))
		.filter((finding) => finding !== undefined);
}

/**
 * @param {string} from
 * @param {string} href
 * @returns {string | undefined} what is wrong with it; other sites are not asked
 */
function brokenFrom(from, href) {
	const [target = '', anchor] = fileOf(from, href)?.split('#') ?? [];
	if (fileOf(from, href) === undefined) return undefined;
	if (!existsSync(join(root, target))) return `${from}: ${href} leads to nothing`;
	if (anchor === undefined) return undefined;
	const page = pages.find(({ path }) => path === target);
	if (page?.anchors.has(anchor)) return undefined;
	return `${from}: ${href} names a heading that ${target} does not have`;
}

/**
 * @param {string} from
 * @param {string} href
 * @returns {string | undefined} the path below the root, with its anchor; undefined: another site's
 */
function fileOf(from, href) {
	const own = href.startsWith(repository) ? href.slice(repository.length) : undefined;
	if (own !== undefined) {
		const inTree = /^\/(?:blob|tree)\/main\/(.*)$/.exec(own)?.[1];
		if (inTree !== undefined) return inTree.replace(/(^|\/)#readme$/, '');
		return own.startsWith('#') && own !== '#readme' ? `README.md${own}` : undefined;
	}
	if (/^[a-z][\w+.-]*:/i.test(href)) return undefined;
	if (href.startsWith('#')) return `${from}${href}`;
	if (href.startsWith('/')) return href.slice(1);
	return posix.join(posix.dirname(from), href);
}
