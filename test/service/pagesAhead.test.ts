import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type RunningService } from '../support/inProcess/startService';
import { TestClock } from '../support/inProcess/testClock';
import { describeWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import {
	startSite,
	type Site,
	type SiteAnswer,
	type SiteRequest,
} from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// One agent, and a list of addresses: the next page comes while the one before is at work.

/** Milliseconds that a page is kept back, if the next one is asked for: however busy the machine is, that is enough. */
const longestWait = 10_000;
/** The same for pages that nobody is to be asked for beside. */
const time = 300;
const count = 5;

/** From which page on each sets a cookie, by name of the task. */
const setFrom: Record<string, number> = { cookies: 2 };
/** What the first page does where it stores something. */
const storedIn: Record<string, string> = {
	local: 'localStorage.seen = 1',
	session: 'sessionStorage.seen = 1',
	database: 'indexedDB.open("seen")',
	name: 'window.name = "seen"',
	files:
		'navigator.storage.getDirectory().then((files) => files.getFileHandle("seen", { create: true }))',
};

/** The second page is ready late; the others are at once, and say that they are old after some time. */
const waiting = (page: number) =>
	page === 1
		? `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<u class="ready"></u>'), 4500)</script>`
		: `<u class="ready"></u><script>setTimeout(() => (document.querySelector('p').textContent = 'old'), 3500)</script>`;

let site: Site;
let service: RunningService;
let client: CloudClient;

/** How often each page was asked for, and the most that the site was answering at once, by name of the task. */
const asked = new Map<string, number>();
const load = new Map<string, { now: number; most: number }>();

async function answer({ url, headers }: SiteRequest): Promise<SiteAnswer> {
	const [, name = '', page = ''] = url.pathname.split('/');
	asked.set(url.pathname, (asked.get(url.pathname) ?? 0) + 1);
	const has = (other: number) => asked.has(`/${name}/${other}`);
	const here = load.get(name) ?? { now: 0, most: 0 };
	load.set(name, here);
	here.now += 1;
	here.most = Math.max(here.most, here.now);
	const number = Number(page);
	const isLast = number === count - 1;
	const wantsNext = name === 'ahead' && number > 0 && !isLast;
	const end = performance.now() + (wantsNext ? longestWait : time);
	while (performance.now() < end && !(wantsNext && has(number + 1))) await sleep(20);
	here.now -= 1;
	if (name === 'refused' && number % 2 === 1) return { status: 503 };
	if (name === 'broken' && number === 2) return '<script>for (;;);</script>';
	return {
		headers: {
			'content-type': 'text/html',
			...(number >= (setFrom[name] ?? Infinity) && { 'set-cookie': `page${number}=1` }),
		},
		body: `<p>${number}</p><i>${headers.cookie ?? ''}</i><button>press</button>
			${name === 'waiting' ? waiting(number) : ''}
			<script>${storedIn[name] ?? ''};setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b>late</b>'), 50)</script>`,
	};
}

const read = extract({ Page: 'p', Cookies: 'i', Late: 'b' }, 'body');

function taskOf(name: string, settings: object = {}, inside: object[] = [], before: object[] = []) {
	const urls = Array.from({ length: count }, (_, page) => `{base}/${name}/${page}`);
	const steps = [step('navigate', { useLoopItem: true }), ...inside, read];
	const list = loop({ loopType: 'list', listType: 'urlList', urls }, steps);
	return task(name, [...before, list], { page: 'browser', tries: 3, ...settings });
}

const tasks = [
	taskOf('ahead'),
	taskOf('cookies'),
	...Object.keys(storedIn).map((name) => taskOf(name)),
	taskOf('known', { headers: { Cookie: 'sid=1' } }),
	taskOf('refused'),
	taskOf('broken', { timeout: 2_000 }),
	taskOf('waiting', {}, [step('wait', { selector: '.ready' })]),
	taskOf('one', { requestsPerHost: 1 }),
	taskOf('delayed', { delay: 1 }),
	taskOf('twice', { tries: 2 }),
	taskOf('robots', { respectRobots: true }),
	taskOf('clicked', {}, [step('click', { selector: 'button' })]),
	taskOf('behind', {}, [], [step('navigate', { url: '{base}/behind/before' })]),
];

describeWithBrowser('one agent and a list of addresses', () => {
	beforeAll(async () => {
		site = await startSite(answer);
		const files: Record<string, string> = {};
		for (const each of tasks) {
			files[each.name] = JSON.stringify(each).replaceAll('{base}', site.baseUrl);
		}
		service = await startService({ tasks: files, clock: new TestClock() });
		client = cloudClient(service);
	}, 120_000);

	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	const pagesOf = (rows: Record<string, string>[]) => rows.map((row) => `${row.Page} ${row.Late}`);
	const all = Array.from({ length: count }, (_, page) => `${page} late`);

	test('behind the first page, each is asked for before the one before has come; rows are in order', async () => {
		const { rows } = await client.run(uuidOf('ahead'));
		expect(pagesOf(rows)).toEqual(all);
		expect(load.get('ahead')).toEqual({ now: 0, most: 2 });
	});

	test('where a page sets a cookie, all that follow have it, and come one after the other', async () => {
		const { rows } = await client.run(uuidOf('cookies'));
		expect(pagesOf(rows)).toEqual(all);
		const said = ['', '', '', 'page2=1', 'page2=1; page3=1'];
		expect(rows.map(({ Cookies }) => Cookies)).toEqual(said);
	});

	test.each(Object.keys(storedIn))('where a page stores something: %s', async (name) => {
		const { rows } = await client.run(uuidOf(name));
		expect(pagesOf(rows)).toEqual(all);
		expect(load.get(name)).toEqual({ now: 0, most: 1 });
	});

	test('a page that has waited long for the one before is asked for again', async () => {
		const { rows } = await client.run(uuidOf('waiting'));
		expect(pagesOf(rows)).toEqual(all);
	});

	test('a page that is refused is tried as often as the task says', async () => {
		const { batch, rows } = await client.run(uuidOf('refused'));
		expect(pagesOf(rows)).toEqual(['0 late', '2 late', '4 late']);
		expect([1, 3].map((page) => asked.get(`/refused/${page}`))).toEqual([3, 3]);
		expect(batch.lineCount).toBe(3);
	});

	test('a page that hangs costs its own row alone', async () => {
		const { rows } = await client.run(uuidOf('broken'));
		expect(pagesOf(rows)).toEqual(['0 late', '1 late', '3 late', '4 late']);
	});

	test.each(['one', 'delayed', 'twice', 'robots', 'known', 'clicked', 'behind'])(
		'not before it may be: %s',
		async (name) => {
			const { rows } = await client.run(uuidOf(name));
			expect(pagesOf(rows)).toEqual(all);
			expect(load.get(name)).toEqual({ now: 0, most: 1 });
		},
	);
});
