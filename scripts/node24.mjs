import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './folders.mjs';

const binaries = join(root, 'node_modules', '.bin');

/** The Node.js 24 that set-up puts into node_modules: n8n and the local service need it. */
export const node24 = join(binaries, process.platform === 'win32' ? 'node.cmd' : 'node');

/** The environment in which `node` is Node.js 24, also for the programs that npm starts. */
export function environmentWithNode24() {
	return { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` };
}

/** Where the headers of that Node.js are kept: npm takes them away when it installs the rest beside it. */
const headers = join(root, '.tmp', 'node24');

/** Keeps the headers that come with it: before npm installs anything, which may take them away at any moment. */
export function keepHeaders() {
	const platform = `node-${process.platform}-${process.arch}`;
	const brought = join(root, 'node_modules', 'node', 'node_modules', platform, 'include');
	if (!existsSync(join(brought, 'node'))) return;
	cpSync(brought, join(headers, 'include'), { recursive: true });
}

/** The same for compiling against the headers that were kept: node-gyp would download them. */
export function environmentForCompiling() {
	const env = environmentWithNode24();
	const areKept = existsSync(join(headers, 'include', 'node'));
	return areKept ? { ...env, npm_config_nodedir: headers } : env;
}

/**
 * The environment in which `node` is the machine's own Node.js, for an npm that finds its scripts'
 * Node.js 24 itself.
 */
export function environmentOfMachine() {
	const folders = (process.env.PATH ?? '').split(delimiter);
	const own = folders.filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
	return { ...process.env, PATH: own.join(delimiter) };
}

/** Whether the Node.js 24 of node_modules is there and runs on this machine. */
export function hasNode24() {
	try {
		const version = execFileSync(node24, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
		return version.startsWith('v24.');
	} catch {
		return false;
	}
}
