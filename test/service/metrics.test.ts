import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { metricsRoute } from '../../service/src/api/metricsRoute.ts';
import { readyz } from '../../service/src/api/readyz.ts';
import { createServer } from '../../service/src/api/server.ts';
import { ApiKeys } from '../../service/src/keys/apiKeys.ts';
import { Metrics } from '../../service/src/runs/metrics.ts';
import { Presence } from '../../service/src/runs/presence.ts';
import { openTemporaryStore } from '../../service/src/store/openStore.ts';
import { startService } from '../support/inProcess/startService';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

/** The figures in an answer, by name and labels. */
const figuresIn = (text: string) =>
	Object.fromEntries(
		text
			.split('\n')
			.filter((line) => line !== '' && !line.startsWith('#'))
			.map((line): [string, number] => {
				const end = line.lastIndexOf(' ');
				return [line.slice(0, end), Number(line.slice(end))];
			}),
	);

const asked = async (baseUrl: string, key?: string) => {
	const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
	const answer = await fetch(`${baseUrl}/metrics`, { headers });
	const text = await answer.text();
	return { status: answer.status, type: answer.headers.get('content-type'), text };
};
const figures = async ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) =>
	figuresIn((await asked(baseUrl, apiKey)).text);

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		if (pathname === '/gone') return { status: 404 };
		if (pathname === '/busy') return { status: 503 };
		return pathname === '/never' ? new Promise(() => undefined) : '<p>one</p><p>two</p>';
	},
	() => {
		const open = (name: string, ...paths: string[]) =>
			task(
				name,
				[
					loop(
						{
							loopType: 'list',
							listType: 'urlList',
							urls: paths.map((path) => site.baseUrl + path),
						},
						[step('navigate', { useLoopItem: true }), extract({ Text: {} }, 'p')],
					),
				],
				{ tries: 1 },
			);
		const tasks = {
			pages: open('pages', '/1', '/2', '/gone', '/busy'),
			never: open('never', '/never'),
		};
		return { tasks };
	},
);

test('counts pages, failures by kind, rows, jobs and batches, and who is at work', async () => {
	const before = await figures(service);
	expect(before).toMatchObject({
		cloud_scraping_rows_total: 0,
		'cloud_scraping_failed_pages_total{kind="unforeseen"}': 0,
		'cloud_scraping_batches_ended_total{state="successful"}': 0,
		'cloud_scraping_batches{state="waiting"}': 0,
		cloud_scraping_oldest_wait_seconds: 0,
		'cloud_scraping_processes{state="reporting"}': 1,
		'cloud_scraping_processes{state="silent"}': 0,
		cloud_scraping_unserved_batches: 0,
		cloud_scraping_ready: 1,
		cloud_scraping_agents: 4,
		cloud_scraping_agents_busy: 0,
	});
	expect(before['process_resident_memory_bytes']).toBeGreaterThan(1_000_000);
	const client = cloudClient(service);
	await client.run(uuidOf('pages'), { jobCount: 2 });
	const { batchID } = await client.start(uuidOf('never'));
	await service.logged({ msg: 'batch running', batchID });
	const during = await figures(service);
	expect(during).toMatchObject({
		'cloud_scraping_page_seconds_count{page="http",result="opened"}': 2,
		'cloud_scraping_page_seconds_count{page="http",result="failed"}': 2,
		'cloud_scraping_failed_pages_total{kind="page"}': 1,
		'cloud_scraping_failed_pages_total{kind="answer"}': 1,
		cloud_scraping_rows_total: 4,
		cloud_scraping_jobs_done_total: 2,
		'cloud_scraping_batches_ended_total{state="successful"}': 1,
		cloud_scraping_batch_wait_seconds_count: 1,
		'cloud_scraping_batches{state="running"}': 1,
		'cloud_scraping_jobs{state="open"}': 1,
		'cloud_scraping_jobs{state="done"}': 0,
		cloud_scraping_agents_busy: 1,
	});
	await client.stop(uuidOf('never'));
	const after = await figures(service);
	expect(after).toMatchObject({
		'cloud_scraping_batches_ended_total{state="stopped"}': 1,
		'cloud_scraping_batches{state="running"}': 0,
		// A page that was called off is none that has failed.
		'cloud_scraping_page_seconds_count{page="http",result="failed"}': 2,
	});
});

test('needs an API key, unless it is open to all', async () => {
	for (const [key, said] of [
		[undefined, 'The API key is missing'],
		['wrong', 'The API key is wrong'],
	] as const) {
		const { status, text } = await asked(service.baseUrl, key);
		expect(status).toBe(401);
		expect(text).toContain(said);
	}
	const open = await startService({ env: { SERVICE_METRICS: 'open' } });
	expect((await asked(open.baseUrl)).status).toBe(200);
	await open.stop();
});

test('fills no log, and says nothing of tasks and sites', async () => {
	await cloudClient(service).run(uuidOf('pages'));
	const { status, type, text } = await asked(service.baseUrl, service.apiKey);
	expect({ status, type }).toEqual({
		status: 200,
		type: 'text/plain; version=0.0.4; charset=utf-8',
	});
	for (const said of [
		uuidOf('pages'),
		'127.0.0.1',
		'localhost',
		'/gone',
		'pages"',
		service.apiKey,
	]) {
		expect(text).not.toContain(said);
	}
	expect(JSON.stringify(service.log)).not.toContain('/metrics');
});

test('answers while its database is away, without what stands in there', async () => {
	const own = await startService();
	const data = join(own.folder, 'service.db');
	await rename(data, `${data}.away`);
	const found = await figures(own);
	expect(found).toMatchObject({ cloud_scraping_ready: 0, cloud_scraping_agents: 4 });
	expect(
		Object.keys(found).filter((name) =>
			/batches\{|jobs\{|processes|wait_sec.*s$|unserved/.test(name),
		),
	).toEqual([]);
	await rename(`${data}.away`, data);
	expect(await figures(own)).toHaveProperty('cloud_scraping_batches{state="waiting"}', 0);
	await own.stop();
});

test('is there for a process without an API, too', async () => {
	const log = pino({ level: 'silent' });
	const { processes, backlog, ...store } = openTemporaryStore({ log });
	const agents = { agents: 2, busyAgents: () => 1 };
	const about = { kind: 'agents', regions: ['jp'], proxied: [], agents: 2 } as const;
	const presence = new Presence(processes, about, { ...agents, log });
	await presence.begin();
	const server = createServer({ log, errorsAs200: false });
	const whyNotReady = () => store.whyNotReady();
	readyz(server, whyNotReady);
	const apiKeys = new ApiKeys(store.apiKeys, ['key'], undefined);
	const watched = { ...agents, presence, backlog, whyNotReady };
	metricsRoute(server, new Metrics(), watched, { apiKeys, access: 'key' });
	expect((await server.inject('/readyz')).json()).toEqual({ ready: true });
	expect(await server.inject('/metrics')).toMatchObject({ statusCode: 401 });
	const headers = { authorization: 'Bearer key' };
	const { body } = await server.inject({ url: '/metrics', headers });
	expect(figuresIn(body)).toMatchObject({
		cloud_scraping_agents_busy: 1,
		'cloud_scraping_processes{state="reporting"}': 1,
	});
	await server.close();
	await presence.close();
	await store.close();
});
