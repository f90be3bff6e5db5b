import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Who goes on behind a crash does not come to a page again whose place in the list is stored: what is odd of it has to be
// stored by then.

const pages = 5;
const odd = 1;
/** As this one is asked for, the service crashes: the place of the odd one is stored with the row behind it at the latest. */
const crash = 3;

const whole = (body: string) => `<!doctype html><html><body>${body}</body></html>`;
const item = (n: number) => `<h1>Item ${n}</h1><b>${n} €</b>`;

const oddPages: Record<string, SiteAnswer> = {
	'asks for a password': whole(`${item(odd)}<form><input type="password"></form>`),
	'is cut': `<!doctype html><html><body>${item(odd)}`,
	'leads to another one': { status: 302, headers: { location: '?n=0' } },
	'has no row': whole('<p>Are you a robot?'),
	'lacks a column': whole(`<h1>Item ${odd}</h1>`),
};

let site: Site;
let running: RunningService | undefined;

beforeAll(async () => {
	site = await startSite(async ({ url, closed }) => {
		const n = Number(url.searchParams.get('n'));
		if (n === crash) {
			running?.process.kill('SIGKILL');
			await closed;
		}
		const name = decodeURIComponent(url.pathname.slice(1));
		return n === odd ? (oddPages[name] ?? '') : whole(item(n));
	});
});

afterEach(async () => {
	await running?.kill();
	if (running) await rm(running.folder, { recursive: true });
	running = undefined;
});

afterAll(() => site?.stop());

const read = extract({ Name: 'h1', Price: 'b' }, 'body:has(h1)');

test.each([
	['asks for a password', ['page not whole'], []],
	['is cut', ['page not whole'], []],
	['leads to another one', ['page redirected to another one'], []],
	['has no row', [], ['body:has(h1)']],
	['lacks a column', [], ['b']],
])('a page that %s is known behind a crash', async (name, said, empty) => {
	const urls = Array.from({ length: pages }, (_, n) => `${site.baseUrl}/${name}?n=${n}`);
	const open = step('navigate', { useLoopItem: true });
	const list = loop({ loopType: 'list', listType: 'urlList', urls }, [open, read]);
	running = await startService({ tasks: { odd: task(name, [list]) } });
	await cloudClient(running).start(uuidOf(name), {});
	await once(running.process, 'exit');

	const database = new DatabaseSync(join(running.folder, 'service.db'));
	const all = (sql: string) => database.prepare(sql).all();
	const [job] = all('SELECT first_item FROM jobs');
	expect(Number(job?.first_item)).toBeGreaterThan(odd);
	const lines = all(`SELECT message FROM batch_log WHERE level = 'warn'`);
	expect(lines.map(({ message }) => message)).toEqual(said);
	const gaps = all('SELECT selector FROM selectors WHERE found_pages > 0 AND empty_pages = 1');
	expect(gaps.map(({ selector }) => selector)).toEqual(empty);
	database.close();
});
