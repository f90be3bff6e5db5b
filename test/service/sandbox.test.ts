import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { browserOfUsers, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { spawnService, type LogLine } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, step, task, uuidOf, writeTasks } from '../support/service/taskFiles';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

let site: Site;
let folder: string;

beforeAll(async () => {
	site = await startSite(() => '<p>text</p>');
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-sandbox-'));
	await chmod(folder, 0o777);
	const steps = [step('navigate', { url: site.baseUrl }), extract({ Text: 'p' })];
	await writeTasks(join(folder, 'tasks'), { read: task('read', steps, { page: 'browser' }) });
}, 300_000);

afterAll(async () => {
	await site?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** What a service of this user logs about its browser's start, and how the browser was started. */
async function browserStart(user?: number) {
	const service = spawnService(
		{
			SERVICE_PORT: '0',
			SERVICE_API_KEYS: 'key',
			SERVICE_DATA: join(folder, `${user}.db`),
			SERVICE_TASKS: join(folder, 'tasks'),
			HOME: folder,
			TMPDIR: folder,
			...browserOfUsers,
		},
		{ user },
	);
	const ended = once(service, 'exit');
	const log: LogLine[] = [];
	const listening = new Promise<string>((resolve, reject) => {
		void ended.then(([code]) => reject(new Error(`The service has ended with ${code}.`)));
		createInterface({ input: service.stdout }).on('line', (text) => {
			const line = JSON.parse(text) as LogLine;
			log.push(line);
			if (line.msg === 'listening') resolve(String(line.address));
		});
	});
	const client = cloudClient({ baseUrl: await listening, apiKey: 'key' });
	const { rows } = await client.run(uuidOf('read'));
	const commands = execFileSync('ps', ['-o', 'args=', '--ppid', String(service.pid)], {
		encoding: 'utf8',
	});
	service.kill('SIGTERM');
	await ended;
	return { rows, commands, lines: log.filter((line) => 'sandbox' in line) };
}

const asRoot = isRoot ? testWithBrowser : test.skip;

asRoot('a browser of root runs without its sandbox, and the log says so', async () => {
	const { rows, commands, lines } = await browserStart();
	expect(rows).toEqual([{ Text: 'text' }]);
	expect(commands).toContain('--no-sandbox');
	expect(lines).toMatchObject([{ level: 40, sandbox: false }]);
	expect(lines[0]?.msg).toContain('browser started without its sandbox');
});

testWithBrowser('a browser of another user runs in its sandbox where that works', async () => {
	const { rows, commands, lines } = await browserStart(isRoot ? nobody : undefined);
	expect(rows).toEqual([{ Text: 'text' }]);
	expect(lines).toHaveLength(1);
	expect(commands.includes('--no-sandbox')).toBe(lines[0]?.sandbox === false);
	if (canMakeNamespaces()) expect(lines).toMatchObject([{ level: 30, sandbox: true }]);
});

/** Whether that user may make the user namespaces that the sandbox is made of. */
function canMakeNamespaces(): boolean {
	try {
		execFileSync('unshare', ['--user', 'true'], { uid: isRoot ? nobody : undefined });
		return true;
	} catch {
		return false;
	}
}
