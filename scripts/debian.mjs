import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './folders.mjs';
import { run } from './command.mjs';

/** What n8n's queue mode needs besides, each in a process of the test's own. */
export function missingForQueueMode() {
	if (!isDebian()) return [];
	return ['redis-server', 'postgresql'].filter((name) => !isInstalled(name));
}

/** What records a film. */
export function missingForFilm() {
	return isDebian() && !isInstalled('ffmpeg') ? ['ffmpeg'] : [];
}

/** Whether there is a PostgreSQL where Debian puts it: tests of the service look there. */
export function hasPostgres() {
	return existsSync('/usr/lib/postgresql');
}

/** Books that tasks of test/long/foreign scrape; libjs-sphinxdoc is the script of the policy's search. */
const scrapedBooks = ['debian-faq', 'debian-policy', 'libjs-sphinxdoc', 'sqlite3-doc'];

/** The documentation that is read on foreign ground, by test/long/foreign and bench/scraping, and a proxy. */
export function missingDocumentation() {
	if (!isDebian()) return [];
	const listed = readFileSync(join(root, 'test', 'long', 'foreign', 'packages.json'), 'utf8');
	/** @type {{ packages: string[] }[]} */
	const generators = JSON.parse(listed);
	const documentation = generators.flatMap(({ packages }) => packages);
	return ['tinyproxy-bin', ...scrapedBooks, ...documentation].filter((name) => !isInstalled(name));
}

/** @param {string} name */
function isInstalled(name) {
	const query = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', name], {
		encoding: 'utf8',
	});
	return query.stdout === 'installed';
}

/** Whether Debian packages can be installed here: by root, or through sudo without a password. */
export function mayInstallPackages() {
	if (!isDebian()) return false;
	return isRoot() || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
}

/**
 * Installs Debian packages, as root or through sudo without a password. With the lists of packages that are
 * there; those are fetched anew only where that fails, since they cannot be while another apt-get does.
 * @param {string[]} names
 * @throws {import('./command.mjs').CommandFailed}
 */
export async function installDebianPackages(names) {
	const install = ['install', '-y', '--no-install-recommends', ...names];
	const advice = `install them yourself: apt-get update && apt-get install -y ${names.join(' ')}`;
	try {
		await aptGet(install, advice);
	} catch {
		await aptGet(['update'], advice);
		await aptGet(install, advice);
	}
}

/**
 * @param {string[]} args
 * @param {string} advice
 */
function aptGet(args, advice) {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const line = ['apt-get', '-o', 'DPkg::Lock::Timeout=300', ...args];
	const [command = '', ...rest] = isRoot() ? line : ['sudo', '-n', ...line];
	return run(command, rest, { cwd: root, env, advice });
}

function isRoot() {
	return process.getuid?.() === 0;
}

function isDebian() {
	return spawnSync('dpkg-query', ['--version'], { stdio: 'ignore' }).status === 0;
}
