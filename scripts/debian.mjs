import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './folders.mjs';
import { run } from './command.mjs';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The Debian packages that the tests need and this machine lacks: documentation that nobody here
 * wrote, to be scraped, and a browser to scrape with. None where there is no dpkg to ask.
 */
export function missingForTests() {
	if (!isDebian()) return [];
	const documentation = isInstalled('debian-faq') ? [] : ['debian-faq'];
	return [...documentation, ...missingBrowser()];
}

/** What n8n's queue mode needs besides, each in a process of the test's own. */
export function missingForQueueMode() {
	if (!isDebian()) return [];
	return ['redis-server', 'postgresql'].filter((name) => !isInstalled(name));
}

/** The documentation that is read on foreign ground, by test/foreign and bench/scraping, and a browser. */
export function missingForForeignPages() {
	if (!isDebian()) return [];
	const listed = readFileSync(join(root, 'test', 'foreign', 'packages.json'), 'utf8');
	/** @type {{ packages: string[] }[]} */
	const generators = JSON.parse(listed);
	const documentation = generators.flatMap(({ packages }) => packages);
	return [...documentation.filter((name) => !isInstalled(name)), ...missingBrowser()];
}

/** @param {string} name */
function isInstalled(name) {
	const query = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', name], {
		encoding: 'utf8',
	});
	return query.stdout === 'installed';
}

function missingBrowser() {
	return browsers.some(isOnPath) ? [] : ['chromium'];
}

/** @param {string} command */
function isOnPath(command) {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return folders.some((folder) => existsSync(join(folder, command)));
}

/**
 * Installs Debian packages, as root or through sudo without a password.
 * @param {string[]} names
 * @throws {import('./command.mjs').CommandFailed}
 */
export async function installDebianPackages(names) {
	const advice = `install them yourself: apt-get update && apt-get install -y ${names.join(' ')}`;
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const install = ['install', '-y', '--no-install-recommends', ...names];
	for (const args of [['update'], install]) {
		const [command, ...rest] =
			process.getuid?.() === 0 ? ['apt-get', ...args] : ['sudo', '-n', 'apt-get', ...args];
		await run(command, rest, { cwd: root, env, advice });
	}
}

function isDebian() {
	return spawnSync('dpkg-query', ['--version'], { stdio: 'ignore' }).status === 0;
}
