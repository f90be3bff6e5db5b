import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../../service/src/agents/turns.ts';
import { checkTask } from '../../service/src/tasks/checkTask.ts';
import { startService } from '../support/inProcess/startService';
import { TestClock } from '../support/inProcess/testClock';
import { describeOnBothPagesAtLength } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startSite, type SiteAnswer, type SiteRequest } from '../support/service/startSite';
import { extract, loop, onBothPages, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// How many pages are asked for at once, under which name, and how long they may take.

let ground: Ground;

/** Pages that the site is answering now, by the first part of their path, and the most at once. */
const load = new Map<string, { now: number; most: number }>();

/** It keeps them until so many are asked for at once, however long that takes a busy machine. */
const waitsFor: Record<string, number> = { usual: 2, four: 4 };
const longestWait = 20_000;

async function answer({ url, closed }: SiteRequest): Promise<SiteAnswer> {
	const [, part = ''] = url.pathname.split('/');
	if (part === 'never') await closed;
	if (part === 'image.png') return { headers: { 'content-type': 'image/png' }, body: '' };
	const count = load.get(part) ?? { now: 0, most: 0 };
	load.set(part, count);
	count.now += 1;
	count.most = Math.max(count.most, count.now);
	const wanted = waitsFor[part] ?? 1;
	for (let waited = 0; count.most < wanted && waited < longestWait; waited += 20) await sleep(20);
	// Others that may be asked for, too, have the time to come.
	await sleep(300);
	count.now -= 1;
	return `<p>${url.pathname}</p><img src="/image.png"><form action="/sent" method="post"><button>Send</button></form>`;
}

const reading = (part: string, count: number) =>
	loop(
		{
			loopType: 'list',
			listType: 'urlList',
			urls: Array.from({ length: count }, (_, index) => `{base}/${part}/${index}`),
		},
		[step('navigate', { useLoopItem: true }, `${part} open`), extract({ Path: 'p' }, 'body')],
		part,
	);

/** Steps on a site that is started for them, since the service waits for hosts. */
const other = [
	step('navigate', { url: 'http://127.0.0.1:1/' }, 'open other'),
	extract({ Path: 'p' }, 'body'),
];

const named = {
	userAgent: 'ShopBot/2.1 (of a test)',
	headers: { 'X-Key': 'open', Accept: 'text/html' },
};

const tasks = {
	usual: task('usual', [reading('usual', 8)]),
	one: task('one', [reading('one', 4)], { requestsPerHost: 1 }),
	four: task('four', [reading('four', 8)], { requestsPerHost: 4 }),
	// Whoever waited for them would wait longer than a test may take.
	never: task('never', [reading('never', 8)], { timeout: 300_000 }),
	named: task(
		'named',
		[
			step('navigate', { url: '{base}/named' }),
			step('click', { selector: 'button' }),
			extract({ Path: 'p' }, 'body'),
		],
		named,
	),
	unnamed: task('unnamed', [reading('unnamed', 1)]),
	patient: task('patient', other, { timeout: 100_000, tries: 1 }),
	hasty: task('hasty', other, { timeout: 1_000, tries: 1 }),
	twice: task('twice', other, { tries: 2 }),
	once: task('once', other, { tries: 1 }),
};

/** Between two tries of a page. */
const clock = new TestClock();

beforeAll(async () => {
	ground = await startOnBothPages(tasks, answer, { clock });
}, 300_000);

afterAll(() => ground?.stop());

beforeEach(() => {
	load.clear();
	ground.site.requests.length = 0;
});

describeOnBothPagesAtLength('on pages of kind', (page) => {
	const idOf = (name: string) => uuidOf(`${name} ${page}`);
	const run = (name: string, jobs = 1) =>
		ground.client.run(idOf(name), { nodeCount: jobs, jobCount: jobs });

	/** Runs a task on a site of its own: its rows, and why its tries failed. */
	async function runOn(name: string, said: () => SiteAnswer | Promise<SiteAnswer>) {
		const site = await startSite(said);
		try {
			const { batch, rows } = await ground.client.run(idOf(name), {
				actionParams: [{ id: uuidOf('open other'), value: `${site.baseUrl}/page` }],
			});
			await ground.service.logged({ batchID: batch.batchID, msg: 'batch successful' });
			const reasons = ground.service.log
				.filter((line) => line.batchID === batch.batchID && 'try' in line)
				.map(({ reason }) => String(reason));
			return { rows, reasons };
		} finally {
			await site.stop();
		}
	}

	test('two pages of a host are asked for at once, over all batches of a task', async () => {
		const runs = await Promise.all([run('usual', 4), run('usual', 4)]);
		for (const { rows } of runs) expect(rows).toHaveLength(8);
		expect(load.get('usual')?.most).toBe(2);
	});

	test.each([
		['one', 1, 4],
		['four', 4, 8],
	] as const)('requestsPerHost says how many: %s', async (name, most, rowCount) => {
		const { rows } = await run(name, 4);
		expect(rows).toHaveLength(rowCount);
		expect(load.get(name)?.most).toBe(most);
	});

	test('a stop ends the waiting for a turn at once, and gives the turns back', async () => {
		for (let round = 0; round < 2; round += 1) {
			ground.site.requests.length = 0;
			const batch = await ground.client.start(idOf('never'), { nodeCount: 4, jobCount: 4 });
			while (ground.site.requests.length < 2) await sleep(20);
			await ground.client.stop(batch.taskID);
			// All agents are free again.
			await run('unnamed');
			expect(ground.site.requests.filter(({ url }) => /never/.test(url.pathname))).toHaveLength(2);
		}
	});

	test('userAgent and headers go with every request for a page', async () => {
		const { rows } = await run('named');
		expect(rows).toEqual([{ Path: '/sent' }]);
		const asked = ground.site.requests.filter(({ url }) => /named|sent/.test(url.pathname));
		expect(asked.map(({ method }) => method)).toEqual(['GET', 'POST']);
		for (const { headers } of asked) {
			expect(headers).toMatchObject({ 'user-agent': named.userAgent, 'x-key': 'open' });
		}
		// A browser sends them with what the page asks for itself, too.
		for (const { headers } of ground.site.requests) expect(headers['x-key']).toBe('open');
	});

	test('without them the service, or the browser, says its own name', async () => {
		await run('unnamed');
		const name = page === 'http' ? /^cloud-scraping-service$/ : /Chrome/;
		expect(ground.site.requests[0]?.headers['user-agent']).toMatch(name);
	});

	test('timeout says how long a page may take to come', async () => {
		const late = async () => {
			await sleep(1_500);
			return '<p>late</p>';
		};
		expect(await runOn('patient', late)).toEqual({ rows: [{ Path: 'late' }], reasons: [] });
		const said = page === 'http' ? /no answer within 1 s/ : /did not load within 1 seconds/;
		expect((await runOn('hasty', late)).reasons).toEqual([expect.stringMatching(said)]);
	});

	test.each([
		['twice', 2, '<p>busy</p>'],
		['twice', 2, ''],
		['once', 1, '<p>busy</p>'],
	])('tries says how often a page is tried: %s, %i, "%s"', async (name, failures, body) => {
		const { rows, reasons } = await runOn(name, () => ({ status: 503, body }));
		expect(rows).toEqual([]);
		expect(reasons).toHaveLength(failures);
		for (const reason of reasons) expect(reason).toMatch(/could not be opened: HTTP 503/);
	});
});

test('the end of the service ends the waiting for a turn', async () => {
	const never = tasks.never;
	const service = await startService({ tasks: onBothPages({ never }, ground.site.baseUrl) });
	await cloudClient(service).start(uuidOf('never http'), { nodeCount: 4, jobCount: 4 });
	while (ground.site.requests.length < 2) await sleep(20);
	await service.stop();
});

test('turns are first come, first served, for each key by itself', async () => {
	const turns = new Turns();
	const began: string[] = [];
	const { signal } = new AbortController();
	const calledOff = new AbortController();
	const take = (name: string, key: string, signal: AbortSignal) =>
		turns.take({ key, limit: 2, signal }, async () => {
			began.push(name);
			await sleep(50);
		});
	const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
		take(name, 'one', name === 'd' ? calledOff.signal : signal).catch(() =>
			began.push(`${name} off`),
		),
	);
	all.push(take('other', 'two', signal));
	calledOff.abort();
	await Promise.all(all);
	expect(began).toEqual(['a', 'b', 'other', 'd off', 'c', 'e', 'f']);
});

test('nobody waits for what was called off and goes on', async () => {
	const turns = new Turns();
	const calledOff = new AbortController();
	const reason = new Error('called off');
	const take = (signal: AbortSignal, work: () => Promise<string>) =>
		turns.take({ key: 'one', limit: 1, signal }, work);
	const endless = take(calledOff.signal, () => new Promise<never>(() => undefined));
	const next = take(new AbortController().signal, () => Promise.resolve('next'));
	calledOff.abort(reason);
	await expect(endless).rejects.toBe(reason);
	expect(await next).toBe('next');
	await expect(take(calledOff.signal, () => Promise.resolve('late'))).rejects.toBe(reason);
});

test.each([
	[{ headers: { Host: 'x' } }, '/headers/Host must be left out'],
	[{ headers: { 'user-agent': 'x' } }, '/headers/user-agent must be left out'],
	[{ headers: { 'a name': 'x' } }, '/headers/a name must be left out'],
	[{ headers: { 'X-Key': 'a\nb' } }, '/headers/X-Key must be text that a header may hold'],
	[{ userAgent: 'a\nb' }, '/userAgent must be text that a header may hold'],
	[{ proxy: 'socks5://host' }, '/proxy must be the http or https URL of a proxy'],
	[{ proxy: 'http://host/path' }, '/proxy must be the http or https URL of a proxy'],
	[{ proxy: 'http://host:8080\r\nX: y' }, '/proxy must be the http or https URL of a proxy'],
	[{ proxy: 'http://me:%zz@host' }, '/proxy must be the http or https URL of a proxy'],
])('a task is refused with %j', (rest, message) => {
	const steps = [step('navigate', { url: 'http://host/' })];
	expect(() => checkTask(task('refused', steps, rest))).toThrow(message);
});

test('what a header was to say is not in the refusal: it may be a key', () => {
	const steps = [step('navigate', { url: 'http://host/' })];
	const headers = { Authorization: 'Bearer secret\n' };
	expect(() => checkTask(task('refused', steps, { headers }))).not.toThrow(/secret/);
});
