import { describeOnBothPagesAtLength } from '../support/service/browser';
import { cloudClient, type Batch } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { TestClock } from '../support/inProcess/testClock';
import { length } from '../support/length';
import { startService as startProcess } from '../support/service/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { stopwatch } from '../support/service/stopwatch';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Each test has sites, a service and a clock of its own, and they run side by side.

/** A service, and the sites that it reads; each has a host of its own, since the service waits for hosts. */
class Ground implements AsyncDisposable {
	readonly clock = new TestClock();
	readonly #sites: Site[] = [];
	#service: RunningService | undefined;

	async siteOf(
		answer: (path: string) => SiteAnswer | Promise<SiteAnswer>,
		port = 0,
	): Promise<Site> {
		const site = await startSite(({ url }) => {
			this.clock.stir();
			return answer(url.pathname);
		}, port);
		this.#sites.push(site);
		return site;
	}

	/** Starts a service with a task that reads these pages, each with one row. */
	async startReading(urls: string[], page = 'http', settings = {}) {
		return await this.start([reading(urls)], { page, requestsPerHost: 4, ...settings });
	}

	/** Starts a service with a task of these steps, and others by name. */
	async start(steps: object[], settings: object, others: Record<string, object[]> = {}) {
		const all = Object.entries({ reading: steps, ...others });
		const tasks = Object.fromEntries(all.map(([name, each]) => [name, task(name, each, settings)]));
		const service = await startService({ tasks, clock: this.clock });
		this.#service = service;
		return { service, client: cloudClient(service) };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#service?.stop();
		await Promise.all(this.#sites.map((site) => site.stop()));
	}
}

const taskID = uuidOf('reading');

/** Steps that read these pages, each with one row. */
const reading = (urls: string[]) =>
	loop({ loopType: 'list', listType: 'urlList', urls }, [
		step('navigate', { useLoopItem: true }, 'open'),
		extract({ Path: 'p' }, 'body'),
	]);

const pages = (site: Site, count: number) =>
	Array.from({ length: count }, (_, index) => `${site.baseUrl}/${index}`);

const pathsOf = (rows: Record<string, string>[]) => rows.map(({ Path: path }) => path);

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);

/** The attempts that failed, without their pauses. */
const failuresOf = ({ log }: RunningService, { batchID }: Batch) =>
	log.filter((line) => line.batchID === batchID && 'try' in line);

describeOnBothPagesAtLength('on pages of kind', (kind) => {
	/** A browser takes some time for each page. */
	const count = (full: number, short: number) => (kind === 'http' ? full : length({ full, short }));

	test.concurrent('a site that answers 503 for five seconds costs no page its row', async () => {
		await using ground = new Ground();
		const most = count(20, 4);
		let since: number | undefined;
		const site = await ground.siteOf((path) => {
			since ??= ground.clock.passed;
			if (ground.clock.passed - since < 5_000) return { status: 503, body: '<p>busy</p>' };
			return `<p>${path}</p>`;
		});
		const { client } = await ground.startReading(pages(site, most), kind);
		const { rows } = await client.run(taskID, { nodeCount: 4, jobCount: 4 });
		expect(pathsOf(rows)).toEqual(numbers(most));
	});

	test.concurrent(
		'a site that stays down is waited for once: the rest of its pages fail fast',
		async () => {
			await using ground = new Ground();
			const site = await ground.siteOf(() => ({ status: 500, body: '<p>broken</p>' }));
			const most = count(20, 4);
			const { client, service } = await ground.startReading(pages(site, most), kind);
			const { batch, rows } = await client.run(taskID, { nodeCount: 2, jobCount: 2 });
			expect(rows).toEqual([]);
			// Waiting for each page of an agent would take 280 seconds.
			expect(ground.clock.passed).toBeGreaterThanOrEqual(18_000);
			expect(ground.clock.passed).toBeLessThan(90_000);
			await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: most });
			const asked = new Map<string, number>();
			for (const { url } of site.requests.filter((request) => request.url.pathname.length < 4)) {
				asked.set(url.pathname, (asked.get(url.pathname) ?? 0) + 1);
			}
			const counts = [...asked.values()];
			expect(Math.max(...counts)).toBeLessThanOrEqual(5);
			expect(counts.filter((count) => count > 1).length).toBeLessThanOrEqual(2);
		},
	);

	test.concurrent(
		'pages that break the connection cost no other page of their site its row',
		async () => {
			await using ground = new Ground();
			const site = await ground.siteOf((path) => {
				if (Number(path.slice(1)) < 3) throw new Error('This page breaks the connection.');
				return `<p>${path}</p>`;
			});
			const most = count(20, 4);
			const { client } = await ground.startReading(pages(site, most), kind);
			const { batch, rows } = await client.run(taskID);
			expect(pathsOf(rows)).toEqual(numbers(most).slice(3));
			expect(batch.status).toBe(3);
		},
	);

	test.concurrent(
		'a page that fails for good costs those behind it none of their tries',
		async () => {
			await using ground = new Ground();
			const asked = new Map<string, number>();
			const site = await ground.siteOf((path) => {
				asked.set(path, (asked.get(path) ?? 0) + 1);
				const isFirst = asked.get(path) === 1;
				if (path === '/1' || (isFirst && path === '/2'))
					return { status: 503, body: '<p>busy</p>' };
				return `<p>${path}</p>`;
			});
			const { client } = await ground.startReading(pages(site, 4), kind);
			const { rows } = await client.run(taskID);
			expect(pathsOf(rows)).toEqual(['/0', '/2', '/3']);
			expect(asked.get('/1')).toBe(5);
			// Nor does it keep them waiting once it is given up.
			expect(ground.clock.passed).toBeLessThan(60_000);
		},
	);

	test.concurrent('nor do they where the next page is asked for at once', async () => {
		await using ground = new Ground();
		const isBroken = (path: string) => Number(path.slice(1)) % 2 === 0;
		const site = await ground.siteOf((path) => {
			if (isBroken(path)) throw new Error('This page breaks the connection.');
			return `<p>${path}</p>`;
		});
		const most = count(40, 4);
		const { client } = await ground.startReading(pages(site, most), kind, { tries: 1 });
		const { rows } = await client.run(taskID);
		expect(pathsOf(rows)).toEqual(numbers(most).filter((path) => !isBroken(path)));
	});

	test.concurrent('nor do they where each page is behind a link of the same list', async () => {
		await using ground = new Ground();
		const most = count(10, 4);
		const isBroken = (path: string) => Number(path.slice(1)) % 2 === 0;
		const site = await ground.siteOf((path) => {
			if (path === '/')
				return numbers(most)
					.map((each) => `<li><a href="${each}">${each}</a></li>`)
					.join('');
			if (isBroken(path)) throw new Error('This page breaks the connection.');
			return `<p>${path}</p>`;
		});
		const eachLink = loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
			step('click', { selector: 'a' }, 'follow'),
			extract({ Path: 'p' }, 'body'),
		]);
		const steps = [step('navigate', { url: `${site.baseUrl}/` }, 'list'), eachLink];
		const { client } = await ground.start(steps, { page: kind, tries: 1 });
		const { rows } = await client.run(taskID);
		expect(pathsOf(rows)).toEqual(numbers(most).filter((path) => !isBroken(path)));
	});
});

test.concurrent('a site that refuses connections for five seconds costs no row', async () => {
	await using ground = new Ground();
	const site = await ground.siteOf((path) => `<p>${path}</p>`);
	const { port } = new URL(site.baseUrl);
	await site.stop();
	const { client } = await ground.startReading(pages(site, 6));
	const running = client.run(taskID, { nodeCount: 3, jobCount: 3 });
	await ground.clock.sleep(5_000);
	await ground.siteOf((path) => `<p>${path}</p>`, Number(port));
	expect(pathsOf((await running).rows)).toEqual(numbers(6));
});

test.concurrent.each([
	['seconds', () => '2', 1_990],
	// A date has whole seconds, and what passes until it is read is none of the time of this test.
	['a date', () => new Date(Date.now() + 30_000).toUTCString(), 25_000],
])('obeys a Retry-After in %s, and loses no row of five', async (_what, retryAfter, least) => {
	await using ground = new Ground();
	const times: number[] = [];
	const site = await ground.siteOf((path) => {
		times.push(ground.clock.passed);
		const refused = { status: 429, headers: { 'retry-after': retryAfter() }, body: '<p>later</p>' };
		return times.length === 1 ? refused : `<p>${path}</p>`;
	});
	const { client } = await ground.startReading(pages(site, 5));
	const { rows } = await client.run(taskID);
	expect(pathsOf(rows)).toEqual(numbers(5));
	const [first = 0, second = 0] = times;
	expect(second - first).toBeGreaterThanOrEqual(least);
});

test.concurrent.each([
	['404', { status: 404, body: '<p>gone</p>' }, 1],
	['410', { status: 410, body: '<p>gone</p>' }, 1],
	['another type of content', { headers: { 'content-type': 'application/pdf' }, body: 'x' }, 1],
	['a redirect loop', { status: 302, headers: { location: '/0' }, body: '' }, 21],
] satisfies [string, SiteAnswer, number][])(
	'%s is final: it is not asked for again',
	async (_what, answer, requests) => {
		await using ground = new Ground();
		const site = await ground.siteOf((path) => (path === '/0' ? answer : `<p>${path}</p>`));
		const { client, service } = await ground.startReading(pages(site, 2));
		const { batch, rows } = await client.run(taskID);
		expect(pathsOf(rows)).toEqual(['/1']);
		expect(site.requests).toHaveLength(requests + 1);
		expect(failuresOf(service, batch)).toHaveLength(1);
	},
);

test.concurrent(
	'a page that is broken for good takes its time alone: the others of its site go on',
	async () => {
		await using ground = new Ground();
		let goOn: (() => void) | undefined;
		const site = await ground.siteOf((path) => {
			// The last page of the other agent.
			if (path === '/39') goOn = ground.clock.hold();
			return path === '/0' ? { status: 500, body: '' } : `<p>${path}</p>`;
		});
		const { client, service } = await ground.startReading(pages(site, 40));
		const batch = await client.start(taskID, { nodeCount: 2, jobCount: 2 });
		await client.waitFor(batch, ({ lineCount }) => lineCount === 20);
		expect(site.requests.filter(({ url }) => url.pathname === '/0').length).toBeLessThan(5);
		goOn?.();
		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect(ended.lineCount).toBe(39);
		const failures = failuresOf(service, batch);
		expect(failures.map((line) => line.try)).toEqual([1, 2, 3, 4, 5]);
		expect(failures.at(-1)?.msg).toBe('page failed, skipped');
	},
);

test.concurrent('what one task has met at a site costs another one no page', async () => {
	await using ground = new Ground();
	const never = new Promise<SiteAnswer>(() => undefined);
	const site = await ground.siteOf((path) => (path.startsWith('/hang') ? never : `<p>${path}</p>`));
	const hanging = numbers(4).map((path) => `${site.baseUrl}/hang${path}`);
	const settings = { page: 'http', tries: 1, timeout: 1_000 };
	const others = { hanging: [reading(hanging)] };
	const { client } = await ground.start([reading(pages(site, 5))], settings, others);
	expect((await client.run(uuidOf('hanging'))).rows).toEqual([]);
	expect(pathsOf((await client.run(taskID)).rows)).toEqual(numbers(5));
});

test.concurrent('an outage of one site keeps no other site waiting', async () => {
	await using ground = new Ground();
	const down = await ground.siteOf(() => ({ status: 503, body: '' }));
	const up = await ground.siteOf((path) => `<p>${path}</p>`);
	const { client } = await ground.startReading([`${down.baseUrl}/0`, ...pages(up, 10)]);
	ground.clock.hold();
	const batch = await client.start(taskID, { nodeCount: 2, jobCount: 2 });
	await client.waitFor(batch, ({ lineCount }) => lineCount >= 5);
	expect(down.requests.length).toBeLessThan(5);
	expect(ground.clock.passed).toBe(0);
	await client.stop(taskID);
});

test.concurrent('a stop, and SIGTERM, end the waiting for a site at once', async () => {
	await using ground = new Ground();
	const site = await ground.siteOf(() => ({
		status: 503,
		headers: { 'retry-after': '60' },
		body: '<p>busy</p>',
	}));
	const service = await startProcess({
		tasks: { reading: task('reading', [reading(pages(site, 8))], { requestsPerHost: 4 }) },
	});
	const client = cloudClient(service);
	const first = await client.start(taskID, { nodeCount: 4, jobCount: 4 });
	await service.logged({ batchID: first.batchID, msg: 'page failed, trying again' });
	await client.stop(taskID);
	// All agents are free again.
	const second = await client.start(taskID, { nodeCount: 4, jobCount: 4 });
	await client.waitFor(second, ({ status }) => status === 2);
	// Who watches it sees why nothing comes.
	const { batchID } = second;
	await service.logged({ batchID, level: 30, msg: 'page waits for its site' });
	const took = stopwatch(service.process.pid);
	await service.stop();
	expect(took()).toBeLessThan(5_000);
});
