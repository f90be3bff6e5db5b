// From the tarball of the service to its first row, as its users have it: npm installs it into an empty
// folder, with what npm has in its cache; it starts, with data of its own; a demo task is started.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CloudApi } from './scraping/cloudApi.ts';
import { root } from './ground/folders.ts';

const taskID = '11111111-1111-4111-8111-111111111111';
const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-bench-package-'));

try {
	const pack = join(root, 'scripts', 'pack.mjs');
	const tarball = execFileSync(process.execPath, [pack, 'service'], { encoding: 'utf8' }).trim();
	const began = performance.now();
	const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
	execFileSync('npm', ['install', tarball, ...quietly], { cwd: folder });
	say('installed', performance.now() - began);
	for (const which of ['first', 'second']) await startAndRun(which);
} finally {
	rmSync(folder, { recursive: true, force: true });
}

/** Seconds from the start of the process to the first row. */
async function startAndRun(which: string): Promise<void> {
	const began = performance.now();
	const main = join(folder, 'node_modules', 'cloud-scraping-service', 'dist', 'main.js');
	const service = spawn(process.execPath, [main, '--port', '0', '--api-keys', 'bench'], {
		cwd: folder,
		env: { ...process.env, XDG_DATA_HOME: folder, SERVICE_TASKS: '' },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const ended = once(service, 'exit');
	let said = '';
	for await (const part of service.stderr) {
		said += String(part);
		if (said.includes('Browser: ')) break;
	}
	say(`${which} start: listening`, performance.now() - began);
	const [, baseUrl = ''] = /^Address: (\S+)$/m.exec(said) ?? [];
	const api = new CloudApi({ baseUrl, apiKey: 'bench' });
	const batchID = await api.start({ taskID, nodeCount: 1, jobCount: 1 });
	while ((await api.batch(taskID, batchID)).rows === 0) await wait(5);
	say(`${which} start: first row`, performance.now() - began);
	service.kill('SIGTERM');
	await ended;
}

function say(what: string, milliseconds: number): void {
	process.stdout.write(`${what.padEnd(26)}${(milliseconds / 1_000).toFixed(1)} s\n`);
}
