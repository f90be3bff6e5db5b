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
import { run } from './command.mjs';
import { packedFolder, root } from './folders.mjs';
import { environmentWithNode24 } from './node24.mjs';

const sources = ['credentials', 'nodes', 'icons', 'gulpfile.js', 'tsconfig.json', 'package.json'];
const documents = ['README.md', 'LICENSE'];
const stamp = join(packedFolder, 'sources.sha256');

/** The package as `npm publish` would send it, if it is there and younger than every source of it. */
export function upToDateTarball() {
	if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashOfSources()) return undefined;
	return tarballs()[0];
}

/**
 * Builds and packs the package into .tmp/package/, and returns the tarball's path.
 * @throws {import('./command.mjs').CommandFailed}
 */
export async function pack() {
	const hash = hashOfSources();
	const env = environmentWithNode24();
	rmSync(packedFolder, { recursive: true, force: true });
	mkdirSync(packedFolder, { recursive: true });
	await run('npm', ['run', 'build'], {
		cwd: root,
		env,
		advice: 'correct the source that the compiler names, then run this command again.',
	});
	await run('npm', ['pack', '--pack-destination', packedFolder], {
		cwd: root,
		env,
		advice: 'see what npm says about package.json, then run this command again.',
	});
	const [tarball] = tarballs();
	if (!tarball) throw new Error(`npm pack left no tarball in ${packedFolder}`);
	writeFileSync(stamp, hash);
	return tarball;
}

function tarballs() {
	return readdirSync(packedFolder)
		.filter((name) => name.endsWith('.tgz'))
		.map((name) => join(packedFolder, name));
}

function hashOfSources() {
	const hash = createHash('sha256');
	for (const file of [...sources, ...documents].flatMap(filesBelow)) {
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
	process.stdout.write(`${upToDateTarball() ?? (await pack())}\n`);
}
