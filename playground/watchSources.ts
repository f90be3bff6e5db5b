import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { duration } from '../scripts/progress.mjs';
import { installBuild } from './communityPackage.ts';

const sources = ['nodes', 'credentials', 'icons'];

/** Editors write a file in several steps. */
const quietMs = 200;

/**
 * Builds the package whenever one of its sources changes, and puts the result where a running n8n has
 * the package. A source that does not compile is reported, and n8n keeps what it has.
 */
export function watchSources(root: string, userFolder: string, packageName: string): void {
	let timer: NodeJS.Timeout | undefined;
	let building = false;
	let changedMeanwhile = false;

	const rebuild = async () => {
		if (building) {
			changedMeanwhile = true;
			return;
		}
		building = true;
		const startedAt = Date.now();
		const failure = await build(root);
		if (failure === undefined) {
			installBuild(join(root, 'dist'), userFolder, packageName);
			say(`✓ Rebuilt in ${duration(Date.now() - startedAt)}; n8n has the new nodes.`);
		} else say(`✗ Not rebuilt, n8n keeps what it has:\n${failure}`);
		building = false;
		if (changedMeanwhile) {
			changedMeanwhile = false;
			await rebuild();
		}
	};

	for (const folder of sources) {
		watch(join(root, folder), { recursive: true }, () => {
			clearTimeout(timer);
			timer = setTimeout(() => void rebuild(), quietMs);
		});
	}
	say(`Watching ${sources.map((folder) => `${folder}/`).join(', ')} for changes.`);
}

/** Resolves to what the compiler says if it fails. */
async function build(root: string): Promise<string | undefined> {
	const gulp = join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
	const child = spawn(process.execPath, [gulp, '--silent', 'build'], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	}
	return await new Promise((resolve) => {
		child.on('error', ({ message }) => resolve(message));
		child.on('close', (code) => resolve(code === 0 ? undefined : output.trim()));
	});
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}
