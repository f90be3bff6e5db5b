import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { networkOf } from '../support/service/signalBrowser';
import { startService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

/** Milliseconds between two pages. */
const delay = 1_000;

/** The limit by which a process can open so many files besides those that it has open. */
function limitWith(free: number, pid: number): number {
	const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
	let limit = 0;
	for (let left = free; left > 0; limit += 1) if (!open.has(limit)) left -= 1;
	return limit;
}

const setLimit = (pid: number, limit: number) =>
	execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);

const onLinux = process.platform === 'linux' ? testWithBrowser : test.skip;

const paths = Array.from({ length: 6 }, (_, index) => `/${index}`);
let site: Site;

/** Starts a batch, and takes the room for pages from its browser; undefined where that has ended a process of it. */
async function startWithoutRoom() {
	const urls = paths.map((path) => `${site.baseUrl}${path}`);
	const list = loop({ loopType: 'list', listType: 'urlList', urls }, [
		step('navigate', { useLoopItem: true }),
		extract({ Text: {} }, 'p'),
	]);
	const service = await startService({
		tasks: { list: task('list', [list], { page: 'browser', tries: 1, delay }) },
	});
	const client = cloudClient(service);
	const batch = await client.start(uuidOf('list'));
	await client.waitFor(batch, ({ lineCount }) => lineCount === 2);
	const pid = networkOf(service);
	const told = service.logged({
		page: 'browser',
		msg: 'pages cannot be opened here, looking again',
	});
	// What a page under way has open is free again behind it, and would be enough for the next one.
	for (let [isTold, limit] = [false, Infinity]; !isTold;) {
		if (!existsSync(`/proc/${pid}/fd`)) return void (await service.stop());
		limit = Math.min(limit, limitWith(2, pid));
		setLimit(pid, limit);
		isTold = await Promise.race([told.then(() => true), sleep(50, false)]);
	}
	return { service, client, batch, giveRoom: () => setLimit(pid, 1_024) };
}

onLinux(
	'what Chromium lacks of its machine to open a page is waited for, and costs none',
	async () => {
		site = await startSite(({ url }) => ({
			headers: { connection: 'close' },
			body: `<p>${url.pathname}</p>`,
		}));
		let started: Awaited<ReturnType<typeof startWithoutRoom>>;
		// Some rooms that are lacking end a process: that page fails, and nothing is lacking behind it.
		while (!(started = await startWithoutRoom()));
		const { service, client, batch, giveRoom } = started;
		giveRoom();

		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect(await client.rowsOf(ended)).toEqual(paths.map((path) => ({ Text: path })));
		expect(service.log.map(({ msg }) => msg)).not.toContain('page failed, trying again');
		await service.stop();
		await site.stop();
	},
);
