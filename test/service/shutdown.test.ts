import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { browserOfUsers, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { sample } from '../support/length';
import { spawnService, startService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { stopwatch } from '../support/service/stopwatch';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// SIGTERM ends a service within five seconds, whatever it has to do with, and nothing stays behind.

let site: Site;
let temporary: string;

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		if (url.pathname === '/never') await new Promise(() => {});
		return '<p>text</p>';
	});
}, 300_000);

afterAll(() => site?.stop());

beforeEach(async () => {
	temporary = await mkdtemp(join(tmpdir(), 'cs-shutdown-'));
});

afterEach(() => rm(temporary, { recursive: true, force: true }));

const reading = (name: string, path: string) =>
	task(
		name,
		[
			loop({ loopType: 'count', times: 100_000 }, [
				step('navigate', { url: `${site.baseUrl}${path}` }, path),
				extract({ Text: 'p' }),
			]),
		],
		{ page: 'browser' },
	);

/** The processes that a process has started, and they in turn. */
function descendants(pid: number): number[] {
	const said = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
	const parents = said
		.trim()
		.split('\n')
		.map((line) => line.trim().split(/\s+/).map(Number));
	const below = (id: number): number[] =>
		parents.flatMap(([child = 0, parent]) => (parent === id ? [child, ...below(child)] : []));
	return below(pid);
}

function isRunning(pid: number): boolean {
	try {
		// A process that has ended, but that nobody has asked for its end, still has a number.
		const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
		return !state.trim().startsWith('Z');
	} catch {
		return false;
	}
}

async function gone(pids: number[]): Promise<void> {
	while (pids.some(isRunning)) await sleep(50);
}

/** What there is in the folder for temporary files, but for what Node.js keeps for its next start. */
async function leftBehind(): Promise<string[]> {
	return (await readdir(temporary)).filter((name) => name !== 'node-compile-cache');
}

/** A service whose browser is at work, with a folder of its own for temporary files. */
async function startBrowsing(path: string) {
	const service = await startService({
		tasks: { browsing: reading('browsing', path) },
		env: { TMPDIR: temporary, ...browserOfUsers },
	});
	const client = cloudClient(service);
	const batch = await client.start(uuidOf('browsing'));
	if (path === '/never') {
		while (site.requests.every(({ url }) => url.pathname !== '/never')) await sleep(20);
	} else await client.waitFor(batch, ({ lineCount }) => lineCount > 0);
	const browser = descendants(service.process.pid ?? 0);
	expect(browser).not.toEqual([]);
	expect(await leftBehind()).not.toEqual([]);
	return { service, client, batch, browser };
}

const sites = [
	['a site that hangs', '/never'],
	['a page that is read', '/text'],
] as const;
testWithBrowser.each(sample(sites))('with a browser on %s', async (_what, path) => {
	const { service, browser } = await startBrowsing(path);
	const took = stopwatch(service.process.pid);
	await service.stop();
	expect(took()).toBeLessThan(5_000);
	await gone(browser);
	expect(await leftBehind()).toEqual([]);
});

testWithBrowser(
	'with a browser that was stopped by a signal, after answering and stopping at once',
	async () => {
		const { service, client, browser } = await startBrowsing('/text');
		for (const pid of browser) if (isRunning(pid)) process.kill(pid, 'SIGSTOP');
		await sleep(500);
		const answered = stopwatch(service.process.pid);
		expect((await client.stop(uuidOf('browsing'))).status).toBe(4);
		expect(answered()).toBeLessThan(1_000);
		await client.start(uuidOf('browsing'));
		const took = stopwatch(service.process.pid);
		await service.stop();
		expect(took()).toBeLessThan(5_000);
		await gone(browser);
		expect(await leftBehind()).toEqual([]);
	},
);

test('with a log that nobody reads, which keeps no request waiting either', async () => {
	const taken = createServer().listen(0, '127.0.0.1');
	await once(taken, 'listening');
	const address = taken.address();
	const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
	taken.close();
	const service = spawnService({
		SERVICE_PORT: String(port),
		SERVICE_DATA: join(temporary, 'service.db'),
	});
	const ended = once(service, 'exit');
	await once(service.stderr, 'data');
	for (let count = 0; count < 300; count += 1) {
		const answer = await fetch(`http://127.0.0.1:${port}/cloud/${'x'.repeat(3_000)}`);
		expect(answer.status).toBe(404);
		await answer.text();
	}
	const took = stopwatch(service.pid);
	service.kill('SIGTERM');
	await ended;
	expect(service.exitCode).toBe(0);
	expect(took()).toBeLessThan(5_000);
});

test('with clients that never end their requests', async () => {
	const service = await startService({ env: { TMPDIR: temporary } });
	const { hostname: host, port } = new URL(service.baseUrl);
	const head = 'POST /cloud/start HTTP/1.1\r\nHost: localhost\r\n';
	const begun = [head, `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`];
	const clients = begun.map((text) => {
		const client = connect(Number(port), host, () => client.write(text));
		client.on('error', () => undefined).resume();
		return { client, closed: once(client, 'close') };
	});
	// They are answered nothing, so that what came after them tells that they have come.
	await Promise.all(clients.map(({ client }) => once(client, 'connect')));
	expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
	const took = stopwatch(service.process.pid);
	await service.stop();
	expect(took()).toBeLessThan(5_000);
	await Promise.all(clients.map(({ closed }) => closed));
});

testWithBrowser('a service that is killed leaves no browser running', async () => {
	const { service, browser } = await startBrowsing('/text');
	await service.kill();
	await gone(browser);
	await rm(service.folder, { recursive: true });
});
