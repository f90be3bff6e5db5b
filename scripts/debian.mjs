import { spawnSync } from 'node:child_process';
import { root } from './folders.mjs';
import { run } from './command.mjs';

/** What the tests need from Debian: documentation that nobody here wrote, to be scraped. */
export const packagesForTests = ['debian-faq'];

/**
 * The packages of a list that this machine lacks; none where there is no dpkg to ask.
 * @param {string[]} names
 */
export function missingDebianPackages(names) {
	if (!isDebian()) return [];
	return names.filter((name) => {
		const query = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', name], {
			encoding: 'utf8',
		});
		return query.stdout !== 'installed';
	});
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
