import { robotsName, rulesIn } from '../../service/src/agents/robots.ts';
import { describeOnBothPagesAtLength } from '../support/service/browser';
import { TestClock } from '../support/inProcess/testClock';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, pageKinds, step, task, uuidOf } from '../support/service/taskFiles';

// Tasks that respect the robots.txt of the sites that they read.

/** Between two tries of a page, and for robots.txt. */
const clock = new TestClock();

let service: RunningService;
let client: CloudClient;

const pages = { loopType: 'list', listType: 'urlList', urls: ['http://127.0.0.1:1/'] };
const reading = loop(
	pages,
	[step('navigate', { useLoopItem: true }), extract({ Path: 'p' }, 'body')],
	'pages',
);
const clicking = loop(
	pages,
	[
		step('navigate', { useLoopItem: true }, 'open'),
		step('click', { selector: 'a' }),
		extract({ Path: 'p' }, 'body'),
	],
	'links',
);

beforeAll(async () => {
	const tasks: Record<string, unknown> = {};
	for (const page of pageKinds) {
		const add = (name: string, steps: object[], rest: object) => {
			tasks[`${name} ${page}`] = task(`${name} ${page}`, steps, { page, tries: 2, ...rest });
		};
		add('reading', [reading], { respectRobots: true });
		add('named', [reading], { respectRobots: true, userAgent: 'ShopBot/2.0' });
		add('heedless', [reading], {});
		add('clicking', [clicking], { respectRobots: true });
	}
	service = await startService({ tasks, clock });
	client = cloudClient(service);
}, 300_000);

afterAll(() => service?.stop());

/** Pages of a run on a site of its own, and what came of them. */
interface Outcome {
	site: Site;
	paths: (string | undefined)[];
	reasons: string[];
	/** The paths that were asked for, without what a browser asks for itself. */
	asked: string[];
	/** Milliseconds, by the clock of the service. */
	took: number;
}

/** Runs a task on a site with this robots.txt; `step`: the loop that gets the addresses. */
async function run(
	taskID: string,
	robots: (site: Site) => SiteAnswer,
	paths: string[],
	{ step = 'pages', jobs = 1 } = {},
): Promise<Outcome> {
	const site = await startSite(({ url: { pathname } }) => {
		if (pathname === '/robots.txt') return robots(site);
		return `<p>${pathname}</p><a href="/private/linked">link</a>`;
	});
	try {
		const began = clock.now();
		const { batch, rows } = await client.run(taskID, {
			nodeCount: jobs,
			jobCount: jobs,
			actionParams: [
				{ id: uuidOf(step), path: 'config.urls', value: paths.map((path) => site.baseUrl + path) },
			],
		});
		const took = clock.now() - began;
		const msg = batch.status === 3 ? 'batch successful' : 'batch stopped';
		await service.logged({ batchID: batch.batchID, msg });
		const reasons = service.log
			.filter((line) => line.batchID === batch.batchID && 'try' in line)
			.map(({ reason }) => String(reason).replaceAll(site.baseUrl, ''));
		const asked = site.requests.map(({ url }) => url.pathname);
		return {
			site,
			paths: rows.map(({ Path: path }) => path),
			reasons,
			asked: asked.filter((path) => path !== '/favicon.ico'),
			took,
		};
	} finally {
		await site.stop();
	}
}

const text = (...lines: string[]): SiteAnswer => ({
	headers: { 'content-type': 'text/plain' },
	body: lines.join('\n'),
});
const rules = () =>
	text(
		'User-agent: ShopBot',
		'Disallow: /public',
		'',
		'User-agent: *',
		'Disallow: /private # but',
		'Allow: /private/open',
		'Disallow: /*.cgi$',
	);

describeOnBothPagesAtLength('on pages of kind', (page) => {
	const idOf = (name: string) => uuidOf(`${name} ${page}`);

	test('a forbidden page is not asked for, and fails at once', async () => {
		const { paths, reasons, asked } = await run(idOf('reading'), rules, [
			'/public',
			'/private/1',
			'/private/open',
			'/a.cgi',
			'/a.cgi?b',
		]);
		expect(paths).toEqual(['/public', '/private/open', '/a.cgi']);
		expect(reasons).toEqual([
			'/robots.txt forbids /private/1 for cloud-scraping-service.',
			'/robots.txt forbids /a.cgi for cloud-scraping-service.',
		]);
		expect(asked).toEqual(['/robots.txt', '/public', '/private/open', '/a.cgi']);
	});

	test('the rules are those for the user agent of the task', async () => {
		const { paths, reasons, site } = await run(idOf('named'), rules, ['/public', '/private/1']);
		expect(paths).toEqual(['/private/1']);
		expect(reasons).toEqual(['/robots.txt forbids /public for ShopBot.']);
		expect(site.requests[0]?.headers['user-agent']).toBe('ShopBot/2.0');
	});

	test('without respectRobots nobody asks', async () => {
		const { paths, asked } = await run(idOf('heedless'), rules, ['/private/1']);
		expect(paths).toEqual(['/private/1']);
		expect(asked).toEqual(['/private/1']);
	});

	test('agents that begin together fetch it once, before any page', async () => {
		const urls = Array.from({ length: 8 }, (_, index) => `/${index}`);
		const { paths, asked } = await run(idOf('reading'), rules, urls, { jobs: 4 });
		expect(paths).toEqual(urls);
		expect(asked[0]).toBe('/robots.txt');
		expect(asked.filter((path) => path === '/robots.txt')).toHaveLength(1);
	});

	test.each([404, 403, 401])('a site that answers %i has no rules', async (status) => {
		const { paths } = await run(
			idOf('reading'),
			() => ({ status, body: 'User-agent: *\nDisallow: /' }),
			['/private/1'],
		);
		expect(paths).toEqual(['/private/1']);
	});

	test('one behind a redirect is obeyed', async () => {
		const { paths } = await run(
			idOf('reading'),
			({ baseUrl, requests }) =>
				requests.length === 1
					? { status: 301, headers: { location: `${baseUrl}/robots.txt?moved` } }
					: rules(),
			['/private/1', '/public'],
		);
		expect(paths).toEqual(['/public']);
	});

	test('a site that answers 503 is tried again, and no page of it is asked for', async () => {
		const { paths, reasons, asked } = await run(idOf('reading'), () => ({ status: 503 }), ['/1']);
		expect(paths).toEqual([]);
		expect(asked).toEqual(['/robots.txt', '/robots.txt']);
		const said =
			'/robots.txt answered with HTTP status 503: without it, no page of the site is asked for.';
		expect(reasons).toEqual([said, said]);
	});

	test('an outage that ends costs no page', async () => {
		const { paths } = await run(
			idOf('reading'),
			({ requests }) => (requests.length === 1 ? { status: 503 } : rules()),
			['/public', '/private/1'],
		);
		expect(paths).toEqual(['/public']);
	});

	test('a Crawl-delay is a delay', async () => {
		const slow = () => text('User-agent: *', 'Crawl-delay: 1');
		const { paths, took } = await run(idOf('reading'), slow, ['/1', '/2', '/3']);
		expect(paths).toEqual(['/1', '/2', '/3']);
		expect(took).toBeGreaterThanOrEqual(3_000);
	});

	test('a stop ends the waiting for a Crawl-delay', async () => {
		const slow = () => text('User-agent: *', 'Crawl-delay: 3600');
		const goOn = clock.hold();
		const running = run(idOf('reading'), slow, ['/1']);
		await clock.sleeping(1);
		await client.stop(idOf('reading'));
		// No time has passed until here.
		expect((await running).asked).toEqual(['/robots.txt']);
		goOn();
	});
});

test('a link of an http page is not followed where that is forbidden', async () => {
	const { paths, reasons, asked } = await run(uuidOf('clicking http'), rules, ['/1'], {
		step: 'links',
	});
	expect(paths).toEqual([]);
	expect(reasons).toEqual(['/robots.txt forbids /private/linked for cloud-scraping-service.']);
	expect(asked).toEqual(['/robots.txt', '/1']);
});

test('a robots.txt that is made to take long takes no time', async () => {
	const pattern = `Disallow: /${'*a'.repeat(1_000)}b`;
	const wild = () => text('User-agent: *', ...Array.from({ length: 250 }, () => pattern));
	const { reasons } = await run(uuidOf('reading http'), wild, [`/${'a'.repeat(8_000)}`]);
	expect(reasons).toEqual([expect.stringContaining('too many to obey')]);
	const most = `User-agent: *\n${`${pattern}\n`.repeat(24)}${'Allow:/\n'.repeat(50_000)}`;
	const allowed = rulesIn(most, 'http://site/robots.txt', 'robot');
	const before = process.threadCpuUsage();
	allowed.check(`http://site/${'a'.repeat(8_000)}`);
	expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1_500);
});

test.each([
	['/%7Ejoe', '/~joe'],
	['/~joe', '/%7ejoe'],
	['/%61b', '/ab'],
	['/a%3cd', '/a%3Cd'],
])('what %s forbids, it forbids of %s: some escapes mean what they stand for', (rule, path) => {
	const rules = rulesIn(`User-agent: *\nDisallow: ${rule}`, 'http://site/robots.txt', 'robot');
	expect(() => rules.check(`http://site${path}`)).toThrow('forbids');
	rules.check('http://site/a%2Fb');
});

test.each([
	['cloud-scraping-service', 'cloud-scraping-service'],
	['ShopBot/2.0 (+http://shop.example)', 'ShopBot'],
	['Mozilla/5.0 (compatible; ShopBot/2.0; +http://shop.example)', 'ShopBot'],
	['Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0 Safari/537.36', 'Mozilla'],
])('who has the user agent %s is known as %s', (userAgent, name) => {
	expect(robotsName(userAgent)).toBe(name);
});
