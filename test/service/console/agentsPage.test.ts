import { testAtLength } from '../../support/length';
import { hostname } from 'node:os';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient, visitConsole } from '../../support/service/console';
import { plainText } from '../../support/service/plainText';
import { useSiteAndService } from '../../support/inProcess/siteAndService';
import { proxyMarks } from '../../../service/src/runs/unevenProxies.ts';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { testControl } from '../../support/service/testControl';
import { expectUsable, views } from '../../support/service/usable';

const own = `${hostname()} (${process.pid})`;

describe('on one machine', () => {
	let release = (): void => undefined;
	const released = new Promise<void>((resolve) => (release = resolve));
	const { site, service } = useSiteAndService(
		() => released.then(() => '<p>one</p>'),
		() => {
			const slow = [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')];
			return { tasks: { slow: task('slow', slow) } };
		},
	);

	test('its own process is shown, with its agents, and who of them is busy at this moment', async () => {
		const visit = await consoleClient(service);
		const seen = async () => plainText(await (await visit('/console/agents')).text());
		const idle = await seen();
		expect(idle).toContain(`${own} API and console Idle 0 of 4 all`);
		expect(idle).toMatch(/Agents 4 Busy 0 Batches running 0 Batches waiting 0/);
		expect(idle).not.toMatch(/Not heard of|without agents|30 seconds/);
		await cloudClient(service).start(uuidOf('slow'));
		await service.logged({ msg: 'batch running' });
		const busy = await seen();
		expect(busy).toContain(`${own} API and console At work 1 of 4 all`);
		expect(busy).toMatch(/Busy 1 Batches running 1/);
		release();
		await service.logged({ msg: 'batch successful' });
		expect(await seen()).toContain('Idle 0 of 4');
	});

	test('the page is for those who are signed in', async () => {
		const answer = await fetch(`${service.baseUrl}/console/agents`, { redirect: 'manual' });
		expect(answer.status).not.toBe(200);
	});
});

describeWithPostgres('on several machines', () => {
	let postgres: Postgres;
	let service: RunningService;
	let database: string;
	beforeAll(async () => {
		postgres = await startPostgres();
		const address = postgres.newDatabase();
		database = new URL(address).pathname.slice(1);
		const env = { SERVICE_DATABASE: address, SERVICE_TEST_CONTROL: 'true' };
		service = await startService({ env });
	});
	afterAll(async () => {
		await service?.stop();
		await postgres?.stop();
	});

	const run = (...statements: string[]) => postgres.run(statements, database);
	/** A process elsewhere reports itself, or did so some seconds ago. */
	const join = (name: string, { regions = 'us', busy = 0, secondsAgo = 0 } = {}) =>
		run(`INSERT INTO cloud_scraping.processes VALUES ('${name}', '${name}', 'agents', '0.1.0', '${regions}', 8, ${busy},
			300000000, now() - interval '2 days', now() - ${secondsAgo} * interval '1 second')`);
	const serve = (regions: string) =>
		run(`UPDATE cloud_scraping.processes SET regions = '${regions}' WHERE kind = 'api'`);
	const seed = (...regions: string[]) =>
		testControl(service).seed(
			...regions.map((region) => ({ taskID: uuidOf('any'), status: 1, region })),
		);
	beforeEach(async () => {
		await testControl(service).reset();
		run("DELETE FROM cloud_scraping.processes WHERE kind = 'agents'");
		serve('us,gb');
	});
	const seen = async () => {
		const visit = await consoleClient(service);
		return plainText(await (await visit('/console/agents')).text());
	};

	test('all processes are shown, and who was not heard of counts no more', async () => {
		join('worker-1 (7)', { busy: 3, regions: 'us,gb,hk,jp' });
		join('worker-2 <b>(7)', { busy: 5, secondsAgo: 31 });
		const page = await seen();
		expect(page).toContain('worker-1 (7) agents alone At work 3 of 8 all 286 MiB');
		expect(page).toMatch(/worker-2 <b>\(7\) agents alone Not heard of since .+ – of 8 us 286 MiB/);
		expect(page).toContain('Agents 12 Busy 3');
		expect(page).toContain('was not heard of for 30 seconds');
	});

	test('batches that wait for a region without agents are named, with what to do, until one serves it', async () => {
		await seed('us', 'jp', 'hk', 'jp');
		const page = await seen();
		expect(page).toContain('3 batches wait for regions without agents');
		expect(page).toContain('No process with agents serves jp, hk.');
		expect(page).toContain('SERVICE_REGIONS=jp,hk');
		expect(page).toContain(`${uuidOf('any')}, jp, since today`);
		const metrics = await (
			await fetch(`${service.baseUrl}/metrics`, {
				headers: { authorization: `Bearer ${service.apiKey}` },
			})
		).text();
		expect(metrics).toContain('\ncloud_scraping_unserved_batches 3\n');
		join('worker-1 (7)', { regions: 'jp' });
		expect(await seen()).toContain(
			'1 batch waits for a region without agents No process with agents serves hk.',
		);
		join('worker-2 (7)', { regions: 'hk' });
		expect(await seen()).not.toContain('without agents');
		join('worker-3 (7)', { regions: 'jp', secondsAgo: 40 });
		run("DELETE FROM cloud_scraping.processes WHERE name = 'worker-1 (7)'");
		expect(await seen()).toContain('2 batches wait for regions without agents');
	});

	test('so is one that was begun in a region whose agents are gone, also on its own page', async () => {
		await seed('jp');
		run('UPDATE cloud_scraping.batches SET status = 2');
		expect(await seen()).toContain('1 batch waits for a region without agents');
		const { list } = await cloudClient(service).batches(uuidOf('any'));
		const visit = await consoleClient(service);
		const page = plainText(await (await visit(`/console/batches/${list[0]?.batchID}`)).text());
		expect(page).toContain('no process with agents serves its region jp.');
		join('worker-1 (7)', { regions: 'jp' });
		expect(await seen()).not.toContain('without agents');
	});

	test('processes of a region that have been told different proxies are named', async () => {
		join('worker-1 (7)', { regions: 'jp' });
		join('worker-2 (7)', { regions: 'jp,us' });
		expect(await seen()).not.toContain('SERVICE_REGION_PROXIES');
		const through = (name: string, proxy: string) => {
			const [mark = ''] = proxyMarks({ jp: proxy });
			run(`UPDATE cloud_scraping.processes SET proxied = '${mark}' WHERE name = '${name}'`);
		};
		const notice =
			'Pages of the region jp come another way, through another proxy or none, at worker-2 (7) than at the rest.';
		through('worker-2 (7)', 'http://a:1');
		expect(await seen()).toContain(notice);
		through('worker-1 (7)', 'http://a:1');
		expect(await seen()).not.toContain('SERVICE_REGION_PROXIES');
		through('worker-1 (7)', 'http://a:2');
		expect(await seen()).toContain(notice);
	});

	testAtLength('of many such batches some are listed, and the others counted', async () => {
		await seed(...Array.from({ length: 23 }, () => 'jp'));
		expect(await seen()).toContain('And 3 more.');
	});

	testAtLength('a service that ends in order is not kept in mind', async () => {
		const address = postgres.newDatabase();
		const kept = () => postgres.dump(new URL(address).pathname.slice(1));
		const other = await startService({ env: { SERVICE_DATABASE: address } });
		expect(kept()).toContain(`INSERT INTO cloud_scraping.processes VALUES`);
		await other.stop();
		expect(kept()).not.toContain(`INSERT INTO cloud_scraping.processes VALUES`);
	});

	describeWithBrowser('in a browser', () => {
		const browser = useChromium();

		test.each(views(3))(
			'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
			async (colorScheme, width) => {
				const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
				join('scraper-2.internal.example.com (31337)', { regions: 'us,gb', busy: 8 });
				join('scraper-3.internal.example.com (9)', { regions: 'us', secondsAgo: 4_000 });
				await seed('jp', 'hk');
				await page.goto('/console/agents');
				await page.getByText('wait for regions without agents').waitFor();
				await expectUsable({ page, complaints });
			},
		);

		testAtLength('what happens meanwhile is seen without loading it again', async () => {
			const { page, complaints } = await visitConsole(browser(), service);
			await page.goto('/console/agents');
			await page
				.getByRole('link', { name: 'Agents', exact: true })
				.and(page.locator('[aria-current]'))
				.waitFor();
			await page.evaluate("document.title = 'The same page'");
			await seed('jp');
			await page.getByText('1 batch waits for a region without agents').waitFor();
			join('worker-1 (7)', { regions: 'jp', busy: 2 });
			await page.getByRole('row', { name: 'worker-1' }).getByText('At work').waitFor();
			await page.getByText('without agents').waitFor({ state: 'detached' });
			expect(await page.title()).toBe('The same page');
			expect(complaints).toEqual([]);
		});
	});
});
