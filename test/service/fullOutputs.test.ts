import { testAtLength } from '../support/length';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat, truncate, type FileHandle } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoTasks, projectNode } from '../support/service/startService';
import { extract, step, task, writeTasks } from '../support/service/taskFiles';

// Outputs that are files which take nothing, as on a full disk.

const main = join(__dirname, '..', '..', 'service', 'src', 'main.ts');
const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
const settings = { ...Object.fromEntries(inherited), SERVICE_TASKS: demoTasks };

let folder: string;
let files: FileHandle[];

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-outputs-'));
	files = [];
});
afterEach(async () => {
	await Promise.all(files.map((file) => file.close()));
	await rm(folder, { recursive: true });
});

async function opened(path: string): Promise<number> {
	const file = await open(path, 'a');
	files.push(file);
	return file.fd;
}

const full = '/dev/full';

describe.skipIf(!existsSync(full))(
	`all that is written to ${full} fails (where there is one)`,
	() => {
		/** What a command ends with; what it says on standard error, unless that is full as well. */
		async function ended(args: string[], env: Record<string, string>, isErrorFull = false) {
			const out = await opened(full);
			const command = spawn(projectNode, [main, ...args], {
				env: { ...settings, ...env },
				stdio: ['ignore', out, isErrorFull ? out : 'pipe'],
			});
			const exit = once(command, 'exit');
			const error = command.stderr ? await text(command.stderr) : '';
			await exit;
			return { exitCode: command.exitCode, error };
		}

		const unwritable =
			/^Standard output cannot be written: ENOSPC: no space left on device, write\.\n$/;

		test('--check and --try end as ever, and say why nothing is shown', async () => {
			const read = [
				step('navigate', { url: '{site}/shop/products' }),
				extract({ Name: 'h2' }, '.card'),
			];
			await writeTasks(folder, { read: task('read', read) });
			const env = { SERVICE_TASKS: folder };
			const trial = ['--try', join(folder, 'read.json')];
			for (const args of [['--check'], trial]) {
				expect(await ended(args, env)).toEqual({
					exitCode: 0,
					error: expect.stringMatching(unwritable) as string,
				});
			}
			await writeTasks(folder, { bad: '{' });
			for (const isErrorFull of [false, true]) {
				expect(await ended(['--check'], env, isErrorFull)).toMatchObject({ exitCode: 1 });
			}
			expect(await ended(trial, env, true)).toMatchObject({ exitCode: 0 });
		});

		testAtLength('a service whose log goes there starts, answers and ends as ever', async () => {
			const service = spawn(projectNode, [main], {
				env: { ...settings, SERVICE_PORT: '0', SERVICE_DATA: join(folder, 'service.db') },
				stdio: ['ignore', await opened(full), 'pipe'],
			});
			const exit = once(service, 'exit');
			let said = '';
			for await (const part of service.stderr ?? []) {
				said += String(part);
				const [, address] = /Address: (http:\S+)/.exec(said) ?? [];
				if (address === undefined) continue;
				expect((await fetch(`${address}/cloud/batches`)).status).toBe(401);
				service.kill('SIGTERM');
			}
			await exit;
			expect(service.exitCode).toBe(0);
		});
	},
);

/** Bytes from which on a file does not grow, until it may. */
const limit = 64 * 1024 * 1024;

const canLimit = existsSync('/usr/bin/prlimit');

test.skipIf(!canLimit)(
	'what a service says waits for room, whole; of too much is said how many lines are lost (where there is prlimit)',
	async () => {
		const [log, errors] = [join(folder, 'log'), join(folder, 'errors')];
		const outputs = [await opened(log), await opened(errors)];
		const room = { [log]: 70, [errors]: 10 };
		for (const [path, bytes] of Object.entries(room)) await truncate(path, limit - bytes);
		const port = await freePort();
		const service = spawn('prlimit', [`--fsize=${limit}:unlimited`, projectNode, main], {
			env: { ...settings, SERVICE_PORT: String(port), SERVICE_DATA: join(folder, 'service.db') },
			stdio: ['ignore', ...outputs],
		});
		const exit = once(service, 'exit');
		const request = () => fetch(`http://127.0.0.1:${port}/${'x'.repeat(3_900)}`);
		for (;;) {
			if (service.exitCode !== null) throw new Error(`It has ended with ${service.exitCode}.`);
			if (await request().catch(() => undefined)) break;
			await sleep(20);
		}
		// More than wait for a reader.
		for (let count = 0; count < 2_300; count += 1) await (await request()).text();
		expect((await stat(log)).size).toBe(limit);
		expect((await stat(errors)).size).toBe(limit);

		const said = async (path: string) => {
			const bytes = await readFile(path);
			return bytes.subarray(limit - (room[path] ?? 0)).toString();
		};
		execFileSync('prlimit', ['--pid', String(service.pid), '--fsize=unlimited']);
		while (!(await said(log)).includes('log lines dropped')) {
			await (await request()).text();
			await sleep(20);
		}
		while (!(await said(errors)).includes('Browser: ')) await sleep(20);
		service.kill('SIGTERM');
		await exit;
		expect(service.exitCode).toBe(0);

		expect(await said(errors)).toMatch(
			/^Address: http:\S+\nAPI key: \S+ .+\nConsole: http:\S+ .+\n(.+\n){3}$/,
		);
		const lines = (await said(log))
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as { msg: string; lines?: number });
		const of = (msg: string) => lines.filter((line) => line.msg.startsWith(msg));
		expect(of('listening')).toHaveLength(1);
		const [dropped, ...others] = of('log lines dropped');
		expect(others).toEqual([]);
		expect(dropped?.lines).toBeGreaterThan(0);
		expect(of('request').length + (dropped?.lines ?? 0)).toBeGreaterThanOrEqual(2_301);
	},
);

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
