import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { networkOf } from '../support/service/signalBrowser';
import { startService } from '../support/service/startService';
import { startSite } from '../support/service/startSite';
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

onLinux(
	'what Chromium lacks of its machine to open a page is waited for, and costs none',
	async () => {
		const site = await startSite(({ url }) => ({
			headers: { connection: 'close' },
			body: `<p>${url.pathname}</p>`,
		}));
		const paths = Array.from({ length: 6 }, (_, index) => `/${index}`);
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
			limit = Math.min(limit, limitWith(2, pid));
			setLimit(pid, limit);
			isTold = await Promise.race([told.then(() => true), sleep(50, false)]);
		}
		setLimit(pid, 1_024);

		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect(await client.rowsOf(ended)).toEqual(paths.map((path) => ({ Text: path })));
		expect(service.log.map(({ msg }) => msg)).not.toContain('page failed, trying again');
		await service.stop();
		await site.stop();
	},
);
