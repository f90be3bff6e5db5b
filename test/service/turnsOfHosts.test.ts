import { setTimeout as sleep } from 'node:timers/promises';
import { hostOf } from '../../service/src/pages/hostOf';
import { inLegs } from '../../service/src/agents/legs';
import { Connection } from '../../service/src/pages/http/connection';
import type { PageError } from '../../service/src/pages/page';
import { startService, type RunningService } from '../support/inProcess/startService';
import { TestClock } from '../support/inProcess/testClock';
import { describeOnBothPagesAtLength } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import {
	startSite,
	type Site,
	type SiteAnswer,
	type SiteRequest,
} from '../support/service/startSite';
import { extract, loop, onBothPages, step, task, uuidOf } from '../support/service/taskFiles';

// A page is asked for in a turn of the host that it is asked of, wherever other hosts have led to it.

/** All hosts in one: the proxy that the tasks ask for them. */
let web: Site;
let service: RunningService;
let client: CloudClient;
const clock = new TestClock();

/** Requests that a host is answering now, and the most at once. */
const load = new Map<string, { now: number; most: number }>();
/** When hosts were asked, by the clock of the service. */
const asked: { host: string; at: number }[] = [];

const isShop = ({ hostname }: URL) => /^shop\d?\.test\.?$/.test(hostname);

async function answer({ url }: SiteRequest): Promise<SiteAnswer> {
	clock.stir();
	if (url.pathname === '/favicon.ico') return { status: 404 };
	const host = url.hostname.replace(/\.$/, '');
	asked.push({ host, at: clock.passed });
	const isRobots = url.pathname === '/robots.txt';
	const to = url.searchParams.get('to') ?? (isRobots ? 'http://shop.test/robots.txt' : '');
	if (!isShop(url)) {
		// It leads to the shop when that has failed for another.
		if (url.searchParams.has('late')) await service.logged({ msg: 'page failed, trying again' });
		if (url.pathname === '/refresh') return `<meta http-equiv="refresh" content="0; url=${to}">`;
		if (url.pathname === '/link') return `<a href="http://t.test/?to=${to}">link</a>`;
		if (url.pathname === '/form') return `<form action="${to}"><input name="q"></form>`;
		return { status: 302, headers: { location: to } };
	}
	const ofShop = asked.filter((each) => each.host === host);
	if (url.pathname === '/busy' && ofShop.length === 1) {
		return { status: 503, headers: { 'retry-after': '30' } };
	}
	const count = load.get(host) ?? { now: 0, most: 0 };
	load.set(host, count);
	count.now += 1;
	count.most = Math.max(count.most, count.now);
	// Others that may be asked for, too, have the time to come.
	await sleep(100);
	count.now -= 1;
	return to === '' || isRobots
		? `<p>${url.pathname}</p>`
		: { status: 302, headers: { location: to } };
}

const reading = (...steps: object[]) => [
	loop(
		{ loopType: 'list', listType: 'urlList', urls: ['http://a.test/'] },
		[step('navigate', { useLoopItem: true }), ...steps, extract({ Path: 'p' }, 'body')],
		'pages',
	),
];

beforeAll(async () => {
	web = await startSite(answer);
	const settings = { proxy: web.baseUrl, requestsPerHost: 1 };
	const type = step('inputText', { selector: 'input', text: 'x', submit: true });
	const tasks: Record<string, object> = {
		one: task('one', reading(), settings),
		searching: task('searching', reading(type), settings),
		delayed: task('delayed', reading(), { ...settings, delay: 10_000 }),
		obeying: task('obeying', reading(), { ...settings, respectRobots: true }),
		clicking: task('clicking', reading(step('click', { selector: 'a' })), settings),
	};
	service = await startService({ clock, tasks: onBothPages(tasks, '') });
	client = cloudClient(service);
});

afterAll(async () => {
	await service?.stop();
	await web?.stop();
});

beforeEach(() => {
	load.clear();
	asked.length = 0;
	service.log.length = 0;
});

/** The paths of the rows of a run over these pages, by as many agents as there are. */
async function run(name: string, urls: string[], page = 'http'): Promise<(string | undefined)[]> {
	const { rows } = await client.run(uuidOf(`${name} ${page}`), {
		nodeCount: 4,
		jobCount: 4,
		actionParams: [{ id: uuidOf('pages'), path: 'config.urls', value: urls }],
	});
	return rows.map(({ Path: path }) => path);
}

const timesOf = (host: string) => asked.filter((each) => each.host === host).map(({ at }) => at);

const eight = Array.from({ length: 8 }, (_, index) => index);
const paths = eight.map((n) => `/${n}`);
/** Pages of hosts that lead to the shop, each in its own way. */
const leading = (path: string) =>
	eight.map((n) => `http://s${n}.test${path}?to=http://shop.test/${n}`);

describeOnBothPagesAtLength('on pages of kind', (page) => {
	test.each([
		['a redirect', 'one', '/'],
		['a redirect of robots.txt', 'obeying', '/'],
	])('a host that others lead to by %s has its own turns', async (_, name, path) => {
		expect(await run(name, leading(path), page)).toEqual(paths);
		expect(load.get('shop.test')?.most).toBe(1);
	});

	test('hosts that lead to one another do not wait for one another', async () => {
		const [one, other] = ['http://shop1.test', 'http://shop2.test'];
		const urls = eight.map((n) =>
			n % 2 === 0 ? `${one}/?to=${other}/${n}` : `${other}/?to=${one}/${n}`,
		);
		expect(await run('one', urls, page)).toEqual(paths);
		expect([...load.values()].map(({ most }) => most)).toEqual([1, 1]);
	});

	test('a host that rests does so for whoever is led to it', async () => {
		const urls = [
			'http://s1.test/?to=http://shop.test/busy',
			'http://s2.test/?late&to=http://shop.test/2',
		];
		expect(await run('one', urls, page)).toEqual(['/busy', '/2']);
		const [first = 0, second = 0] = timesOf('shop.test');
		expect(second - first).toBeGreaterThanOrEqual(30_000);
	});

	test('the delay of a task is waited for before each host', async () => {
		await run('delayed', ['http://s1.test/?to=http://shop.test/1'], page);
		const [[first = 0], [second = 0]] = [timesOf('s1.test'), timesOf('shop.test')];
		expect(second - first).toBeGreaterThanOrEqual(10_000);
	});

	test.each([
		['named', ''],
		['led to', 'http://s1.test/?to='],
	])('a host with a name that none can have is asked for nothing where it is %s', async (_, by) => {
		const url = `http://${'a.'.repeat(127)}test/`;
		expect(await run('one', [`${by}${url}`, 'http://shop.test/2'], page)).toEqual(['/2']);
		const reasons = service.log.map(({ reason }) => reason).join('\n');
		expect(reasons).toContain('has a host name of 258 characters: there is none');
	});

	test('a dot at the end of its name makes no other host', async () => {
		const urls = eight.map((n) => `http://shop.test${n % 2 === 0 ? '' : '.'}/${n}`);
		expect(await run('one', urls, page)).toEqual(paths);
		expect(load.get('shop.test')?.most).toBe(1);
	});
});

test.each([
	['a refresh', 'one', '/refresh'],
	['a form', 'searching', '/form'],
	['a link that redirects', 'clicking', '/link'],
])('a host that http pages of others lead to by %s has its own turns', async (_, name, path) => {
	expect(await run(name, leading(path))).toEqual(paths);
	expect(load.get('shop.test')?.most).toBe(1);
});

test('one host is a name with its port', () => {
	expect(['http://Shop.Test.:80/a', 'https://shop.test.:81/'].map(hostOf)).toEqual([
		'shop.test',
		'shop.test:81',
	]);
});

describe('of one request', () => {
	const { signal } = new AbortController();
	const asking = { accept: '*/*', signal };

	test('what is waited for before a host is no part of its time', async () => {
		const connection = new Connection({ proxy: web.baseUrl, timeout: 2_000 });
		try {
			const url = 'http://s1.test/?to=http://shop.test/1';
			const entered: string[] = [];
			const mayAsk = async (next: string) => {
				entered.push(hostOf(next));
				await sleep(2_100);
			};
			const read = () =>
				connection.ask({ url }, { ...asking, mayAsk }, ({ url }) => Promise.resolve(url));
			expect(await read()).toBe('http://shop.test/1');
			expect(entered).toEqual(['s1.test', 'shop.test']);
		} finally {
			await connection.close();
		}
	});

	test('a failure is that of the host which it was led to', async () => {
		const gone = await startSite(() => '');
		await gone.stop();
		const location = `${gone.baseUrl}/`;
		const site = await startSite(() => ({ status: 302, headers: { location } }));
		const connection = new Connection({});
		const asked = connection.ask({ url: `${site.baseUrl}/` }, asking, () => Promise.resolve());
		await expect(asked).rejects.toMatchObject({
			url: location,
			outage: { of: 'network' },
		} satisfies Partial<PageError>);
		await connection.close();
		await site.stop();
	});

	test('one whose turn does not come ends where it waits', async () => {
		const refused = new Error('no turn');
		const ends: unknown[] = [];
		const request = async (mayAsk: (url: string) => Promise<void>) => {
			await mayAsk('http://a.test/again');
			await mayAsk('http://b.test/').catch((error: unknown) => ends.push(error));
		};
		const inTurn = async (url: string, leg: () => Promise<void>) => {
			if (hostOf(url) === 'b.test') throw refused;
			await leg();
		};
		await expect(inLegs('http://a.test/', request, inTurn)).rejects.toBe(refused);
		expect(ends).toEqual([refused]);
	});
});
