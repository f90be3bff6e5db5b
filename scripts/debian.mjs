import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './folders.mjs';
import { run } from './command.mjs';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A browser to scrape with, if this machine has none; nothing where there is no dpkg to ask. */
export function missingBrowser() {
	return !isDebian() || browsers.some(isOnPath) ? [] : ['chromium'];
}

/** What n8n's queue mode needs besides, each in a process of the test's own. */
export function missingForQueueMode() {
	if (!isDebian()) return [];
	return ['redis-server', 'postgresql'].filter((name) => !isInstalled(name));
}

/** The documentation that is read on foreign ground, by test/foreign and bench/scraping. */
export function missingDocumentation() {
	if (!isDebian()) return [];
	const listed = readFileSync(join(root, 'test', 'foreign', 'packages.json'), 'utf8');
	/** @type {{ packages: string[] }[]} */
	const generators = JSON.parse(listed);
	const documentation = generators.flatMap(({ packages }) => packages);
	return ['debian-faq', ...documentation].filter((name) => !isInstalled(name));
}

/** @param {string} name */
function isInstalled(name) {
	const query = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', name], {
		encoding: 'utf8',
	});
	return query.stdout === 'installed';
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
