import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installDebianPackages, mayInstallPackages } from './debian.mjs';
import { root } from './folders.mjs';
import { environmentWithNode24, node24 } from './node24.mjs';
import { say, step } from './progress.mjs';

const headlessShell = '/usr/bin/chromium-headless-shell';

/**
 * Installs Chromium where the service would find no browser. Without the right to, it does nothing, and
 * tests that need a browser are skipped; but in CI it fails, since there nothing may be skipped.
 */
export async function installBrowser() {
	if (!hasBrowser() && (mayInstallPackages() || process.env.CI)) {
		await step('Install Chromium for the tests (about a minute)', () =>
			installDebianPackages(['chromium']),
		);
	}
	if (!existsSync(headlessShell) && mayInstallPackages()) await installHeadlessShell();
}

/** The Chromium without windows: tests that take it need a third of the time. Not all systems have it. */
async function installHeadlessShell() {
	try {
		await step('Install the Chromium without windows for the tests', () =>
			installDebianPackages(['chromium-headless-shell']),
		);
	} catch (error) {
		const reason = error instanceof Error ? error.message.split('\n')[0] : error;
		say(`Not to be had here (${reason}): tests take the usual one, and longer.`);
	}
}

/** Whether the service would find a Chromium or Chrome: its own code says. Needs Node.js 24. */
export function hasBrowser() {
	const ask = `import { findBrowser } from './service/src/pages/browser/findBrowser.ts';
		process.exitCode = (await findBrowser(undefined, process.env.PATH ?? '')) === undefined ? 1 : 0;`;
	const options = { cwd: root, env: environmentWithNode24() };
	return spawnSync(node24, ['--input-type=module', '--eval', ask], options).status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await installBrowser();
