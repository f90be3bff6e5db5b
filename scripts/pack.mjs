import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildService } from './buildService.mjs';
import { run } from './command.mjs';
import { packedFolder, root } from './folders.mjs';
import { environmentWithNode24 } from './node24.mjs';
import { makePublished } from './published.mjs';

/**
 * The packages that are published, by their folders below .tmp/package/.
 * @type {Record<'node' | 'service', { folder: string, sources: string[], build: () => Promise<unknown> }>}
 */
const packages = {
	node: {
		folder: root,
		sources: [
			...['credentials', 'nodes', 'icons', 'gulpfile.js', 'tsconfig.json', 'package.json'],
			...['README.md', 'LICENSE'],
		],
		build: () =>
			run('npm', ['run', 'build'], {
				cwd: root,
				env: environmentWithNode24(),
				advice: 'correct the source that the compiler names, then run this command again.',
			}),
	},
	service: {
		folder: join(root, 'service'),
		sources: [
			...['src', 'tasks', 'tsconfig.json', 'tsconfig.build.json', 'task.schema.json'],
			...['package.json', 'README.md', 'LICENSE'],
		].map((name) => join('service', name)),
		build: buildService,
	},
};

/** @typedef {keyof typeof packages} PackageName */

/** @param {string} name @returns {name is PackageName} */
const isPackage = (name) => Object.keys(packages).includes(name);

/** @param {PackageName} name */
const packedIn = (name) => join(packedFolder, name);

/** @param {PackageName} name */
const stampOf = (name) => join(packedIn(name), 'sources.sha256');

/**
 * A package as `npm publish` would send it, if it is there and younger than every source of it.
 * @param {PackageName} name
 */
export function upToDateTarball(name) {
	const stamp = stampOf(name);
	if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashOfSources(name)) return undefined;
	return tarballs(name)[0];
}

/**
 * Builds and packs a package into its folder below .tmp/package/, and returns the tarball's path.
 * @param {PackageName} name
 * @throws {import('./command.mjs').CommandFailed}
 */
export async function pack(name) {
	const { folder, build } = packages[name];
	const hash = hashOfSources(name);
	rmSync(packedIn(name), { recursive: true, force: true });
	mkdirSync(packedIn(name), { recursive: true });
	await build();
	refuseEmpty(folder, await npmPack(name, folder));
	// npm packs what package.json lists; what is published of that is somewhat less.
	const unpacked = join(packedIn(name), 'package');
	for (const tarball of tarballs(name)) {
		execFileSync('tar', ['-xzf', tarball, '-C', packedIn(name)]);
		rmSync(tarball);
	}
	makePublished(unpacked);
	await npmPack(name, unpacked);
	rmSync(unpacked, { recursive: true });
	const [tarball] = tarballs(name);
	if (!tarball) throw new Error(`npm pack left no tarball in ${packedIn(name)}`);
	writeFileSync(stampOf(name), hash);
	return tarball;
}

/**
 * @param {PackageName} name
 * @param {string} folder what is packed, into the folder of the package
 */
function npmPack(name, folder) {
	return run('npm', ['pack', '--json', '--pack-destination', packedIn(name)], {
		cwd: folder,
		env: environmentWithNode24(),
		advice: 'see what npm says about package.json, then run this command again.',
	});
}

/**
 * A package without what its package.json promises was packed before it was built: never to be published.
 * @param {string} folder
 * @param {string} packed what npm says about it, as JSON
 */
function refuseEmpty(folder, packed) {
	/** @type {[{ files: { path: string }[] }]} */
	const [{ files }] = JSON.parse(packed);
	/** @type {{ bin?: Record<string, string>, n8n?: { credentials: string[], nodes: string[] } }} */
	const { bin = {}, n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const promised = [...Object.values(bin), ...(n8n ? [...n8n.credentials, ...n8n.nodes] : [])];
	const missing = promised.filter((path) => !files.some((file) => file.path === path));
	if (promised.length > 0 && missing.length === 0) return;
	throw new Error(`The package of ${folder} lacks what it is for: ${missing.join(', ')}`);
}

/** @param {PackageName} name */
function tarballs(name) {
	return readdirSync(packedIn(name))
		.filter((file) => file.endsWith('.tgz'))
		.map((file) => join(packedIn(name), file));
}

/** @param {PackageName} name */
function hashOfSources(name) {
	const hash = createHash('sha256');
	const packing = ['scripts/pack.mjs', 'scripts/published.mjs'];
	for (const file of [...packages[name].sources.flatMap(filesBelow), ...packing]) {
		hash.update(`${file}\0`).update(readFileSync(join(root, file)));
	}
	return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
	const full = join(root, path);
	if (!existsSync(full)) return [];
	if (!statSync(full).isDirectory()) return [path];
	return readdirSync(full)
		.sort()
		.flatMap((name) => filesBelow(join(path, name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [name = 'node'] = process.argv.slice(2);
	if (!isPackage(name))
		throw new Error(`There is no package "${name}" here: it is node or service.`);
	process.stdout.write(`${upToDateTarball(name) ?? (await pack(name))}\n`);
}
