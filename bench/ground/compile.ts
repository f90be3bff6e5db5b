import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compiledPackage, n8nNodesBase, root } from './folders.ts';

/** Compiles the package as `npm run build` does; throws when that fails, or n8n is not installed. */
export function compilePackage(): void {
	if (!existsSync(n8nNodesBase)) {
		throw new Error('The n8n of the playground is not installed. Run "npm run setup" first.');
	}
	rmSync(compiledPackage, { recursive: true, force: true });
	const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
	execFileSync(process.execPath, [compiler, '--outDir', compiledPackage], {
		cwd: root,
		stdio: 'inherit',
	});
}
