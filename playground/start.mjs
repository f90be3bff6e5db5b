import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentWithNode24, node24 } from '../scripts/node24.mjs';
import { setUpService } from '../scripts/setup.mjs';

// With `--dev`, the package is built and loaded anew whenever a source of it changes.
// Runs on the machine's own Node.js; n8n and the local service need the Node.js 24 that set-up
// installs, so the playground itself is a second process: it sees to the rest of the set-up, with the
// service up already.
try {
	await setUpService();
	const main = join(dirname(fileURLToPath(import.meta.url)), 'main.ts');
	const playground = spawn(node24, [main, ...process.argv.slice(2)], {
		env: environmentWithNode24(),
		// By the channel the playground learns that this process is gone, even if it was killed.
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => playground.kill(/** @type {NodeJS.Signals} */ (signal)));
	}
	// A signal to npm alone ends npm and the shell below it, but does not reach this process.
	if (process.env.npm_lifecycle_event) {
		const shell = process.ppid;
		setInterval(() => process.ppid === shell || playground.kill('SIGTERM'), 500);
	}
	playground.on('exit', (code) => process.exit(code ?? 1));
} catch (error) {
	process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}
