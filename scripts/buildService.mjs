import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './command.mjs';
import { root } from './folders.mjs';
import { node24 } from './node24.mjs';

const service = join(root, 'service');

/** What browsers load, as it is. */
const files = [join('console', 'files'), join('site', 'files')];

/** Compiles the service into service/dist/: below node_modules, Node.js takes no TypeScript. */
export async function buildService() {
	const compiled = join(service, 'dist');
	rmSync(compiled, { recursive: true, force: true });
	const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
	await run(node24, [compiler, '-p', join(service, 'tsconfig.build.json')], {
		cwd: root,
		advice: 'correct the source that the compiler names, then run this command again.',
	});
	for (const folder of files) {
		cpSync(join(service, 'src', folder), join(compiled, folder), { recursive: true });
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildService();
