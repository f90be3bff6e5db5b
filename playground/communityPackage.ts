import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { objectAt, textAt } from './json.ts';
import type { JsonObject } from './json.ts';

/**
 * Installs a packed package into an n8n that is not running, step by step as n8n's own
 * "Install community node" does it (community-packages.service.js, `downloadPackage`). n8n itself
 * can fetch from npm's registry alone, unless it has an enterprise licence.
 */
export function installCommunityPackage(tarball: string, userFolder: string): void {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const staging = join(nodes, 'node_modules', '.unpacked');
	rmSync(staging, { recursive: true, force: true });
	mkdirSync(staging, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', staging, '--strip-components=1']);
	const manifest = readManifest(join(staging, 'package.json'));
	const name = textAt(manifest, 'name');
	const folder = join(nodes, 'node_modules', name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(dirname(folder), { recursive: true });
	renameSync(staging, folder);

	const notInstalled = ['devDependencies', 'peerDependencies', 'optionalDependencies'];
	const installed = Object.entries(manifest).filter(([key]) => !notInstalled.includes(key));
	writeManifest(join(folder, 'package.json'), Object.fromEntries(installed));
	execFileSync('npm', ['install', ...installFlags], { cwd: folder, stdio: 'pipe' });

	const ledger = join(nodes, 'package.json');
	const { dependencies = {} } = existsSync(ledger) ? readManifest(ledger) : {};
	writeManifest(ledger, {
		name: 'installed-nodes',
		private: true,
		dependencies: { ...objectAt(dependencies), [name]: textAt(manifest, 'version') },
	});
}

/** Puts compiled nodes in the place of those that are installed in n8n. */
export function installBuild(dist: string, userFolder: string, packageName: string): void {
	const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName, 'dist');
	cpSync(dist, installed, { recursive: true });
}

const installFlags = [
	'--audit=false',
	'--fund=false',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
];

function readManifest(file: string): JsonObject {
	return objectAt(JSON.parse(readFileSync(file, 'utf8')));
}

function writeManifest(file: string, content: JsonObject): void {
	writeFileSync(file, JSON.stringify(content, null, 2));
}
