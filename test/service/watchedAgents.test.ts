import { testAtLength } from '../support/length';
import { startPostgres, type Postgres } from '../support/postgres/startPostgres';
import { describeWithPostgres } from '../support/postgres/withPostgres';
import { cloudClient } from '../support/service/cloudClient';
import { consoleClient } from '../support/service/console';
import { plainText } from '../support/service/plainText';
import { startAgents, type RunningAgents } from '../support/service/startAgents';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

describeWithPostgres('agents on other machines', () => {
	let postgres: Postgres;
	let site: Site;
	let service: RunningService;
	let env: Record<string, string>;
	const running: RunningAgents[] = [];
	beforeAll(async () => {
		postgres = await startPostgres();
		site = await startSite(() => '<p>one</p><p>two</p>');
		env = { SERVICE_DATABASE: postgres.newDatabase() };
		const steps = [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')];
		const tasks = { pages: task('pages', steps) };
		service = await startService({ env: { ...env, SERVICE_AGENTS: '0' }, tasks });
	});
	afterAll(async () => {
		await Promise.all(running.map((each) => each.stop()));
		await service?.stop();
		await site?.stop();
		await postgres?.stop();
	});

	const join = async (settings: Record<string, string>) => {
		const agents = await startAgents({ ...env, ...settings });
		running.push(agents);
		return agents;
	};
	const seen = async () => {
		const visit = await consoleClient(service);
		return plainText(await (await visit('/console/agents')).text());
	};

	test('are seen, say how they are, and take what waits for their region', async () => {
		expect(await seen()).toContain('API and console No agents – all');
		await join({ SERVICE_REGIONS: 'us,gb' });
		const client = cloudClient(service);
		const batch = await client.start(uuidOf('pages'), { region: 'jp' });
		const waiting = await seen();
		expect(waiting).toContain('1 batch waits for a region without agents');
		expect(waiting).toContain('No process with agents serves jp.');
		expect(waiting).toContain('agents alone Idle 0 of 4 us, gb');

		const agents = await join({
			SERVICE_REGIONS: 'jp',
			SERVICE_PORT: '0',
			SERVICE_API_KEYS: service.apiKey,
		});
		expect(await client.waitFor(batch, ({ status }) => status >= 3)).toMatchObject({ status: 3 });
		expect(await seen()).not.toContain('without agents');
		const { address } = agents.log.find(({ msg }) => msg === 'listening') ?? {};
		const asked = async (path: string, headers?: Record<string, string>) =>
			(await fetch(`${String(address)}${path}`, { headers })).text();
		expect(await asked('/readyz')).toBe('{"ready":true}');
		expect(await asked('/metrics')).toContain('The API key is missing');
		const figures = await asked('/metrics', { authorization: `Bearer ${service.apiKey}` });
		for (const figure of [
			'cloud_scraping_rows_total 2',
			'cloud_scraping_processes{state="reporting"} 3',
		]) {
			expect(figures).toContain(`\n${figure}\n`);
		}
		expect(await asked('/console/')).toContain('There is no GET /console/ here.');
	});

	testAtLength('that were killed are not heard of; those that end in order are gone', async () => {
		const [ended, killed] = [
			await join({ SERVICE_AGENTS: '7' }),
			await join({ SERVICE_AGENTS: '9' }),
		];
		expect(await seen()).toMatch(/Idle 0 of 7 .*Idle 0 of 9 |Idle 0 of 9 .*Idle 0 of 7 /);
		ended.kill('SIGTERM');
		await ended.logged({ msg: 'shutting down' });
		await killed.stop();
		await vi.waitUntil(async () => !(await seen()).includes('of 7 '), { timeout: 60_000 });
		postgres.run(
			[
				"UPDATE cloud_scraping.processes SET last_report = now() - interval '31 seconds' WHERE agents = 9",
			],
			new URL(env.SERVICE_DATABASE ?? '').pathname.slice(1),
		);
		expect(await seen()).toMatch(/Not heard of since today, [\d:]+ – of 9 /);
	});
});
