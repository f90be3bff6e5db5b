import { testAtLength } from '../../support/length';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { startService, type RunningService } from '../../support/service/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';

const pages = 30;
const everyPage = Array.from({ length: pages }, (_, page) => ({ Text: `page ${page}` }));

describeWithPostgres('a service on PostgreSQL', () => {
	let postgres: Postgres;
	let site: Site;
	/** What happens while a page is on its way, by its path; each once. */
	const meanwhile = new Map<string, () => Promise<void>>();
	/** The paths of the site that were asked for, in order. */
	let asked: string[] = [];
	let running: RunningService[] = [];
	let env: Record<string, string>;

	beforeAll(async () => {
		postgres = await startPostgres();
		site = await startSite(async ({ url: { pathname } }) => {
			asked.push(pathname);
			const happens = meanwhile.get(pathname);
			meanwhile.delete(pathname);
			await happens?.();
			return `<p>page ${pathname.slice(1)}</p>`;
		});
	});
	afterAll(async () => {
		await site?.stop();
		await postgres?.stop();
	});
	beforeEach(() => {
		asked = [];
		const address = postgres.newDatabase().replace('@', ':a-secret@');
		env = { SERVICE_DATABASE: address };
	});
	afterEach(async () => {
		for (const service of running) {
			expect(JSON.stringify(service.log)).not.toContain('a-secret');
			expect(service.standardError()).not.toContain('a-secret');
			if (service.process.exitCode === null && service.process.signalCode === null) {
				await service.stop();
			}
		}
		running = [];
	});

	/** Starts one, as on a machine of its own. */
	async function start() {
		const urls = Array.from({ length: pages }, (_, page) => `${site.baseUrl}/${page}`);
		const list = loop({ loopType: 'list', listType: 'urlList', urls }, [
			step('navigate', { useLoopItem: true }),
			extract({ Text: {} }, 'p'),
		]);
		const service = await startService({ env, tasks: { pages: task('pages', [list]) } });
		running.push(service);
		return { service, client: cloudClient(service) };
	}
	const taskID = uuidOf('pages');

	test('runs tasks, and the next one, elsewhere, knows all that it has kept', async () => {
		const first = await start();
		const { batch, rows } = await first.client.run(taskID, { jobCount: 4, nodeCount: 3 });
		expect(rows).toEqual(everyPage);
		const once = { deduplication: true, deduplicationID: 'x', size: 10 };
		expect((await first.client.data(batch.batchID, once)).list).toHaveLength(10);
		const visit = await consoleClient(first.service);
		await visit('/console/keys', { method: 'POST', body: new URLSearchParams({ name: 'other' }) });
		await first.service.logged({ msg: 'API key made' });
		expect(existsSync(join(first.service.folder, 'service.db'))).toBe(false);
		await first.service.stop();

		const next = await start();
		expect(await next.client.rowsOf(batch)).toEqual(everyPage);
		expect((await next.client.batches(taskID)).list).toEqual([batch]);
		const all = { ...once, size: pages };
		expect((await next.client.data(batch.batchID, all)).list).toHaveLength(pages - 10);
		const visitNext = await consoleClient(next.service);
		const page = await (await visitNext(`/console/batches/${batch.batchID}`)).text();
		expect(page).toContain('batch successful');
		expect(await (await visitNext('/console/keys')).text()).toMatch(/other[^]*Created at start/);
	});

	test('answers that there is no batch to who reads one while it is deleted, and no part of it', async () => {
		const { client } = await start();
		const { batch } = await client.run(taskID);
		const elsewhere = new pg.Client({ connectionString: env.SERVICE_DATABASE });
		await elsewhere.connect();
		await elsewhere.query('BEGIN; LOCK TABLE cloud_scraping.rows');
		const query = { batchID: batch.batchID, page: 1, size: 100, preview: false };
		const reading = client.call('/cloud/data', { query });
		const waiting = 'SELECT FROM pg_locks WHERE NOT granted';
		while ((await elsewhere.query(waiting)).rowCount === 0) await sleep(10);
		await elsewhere.query('DELETE FROM cloud_scraping.rows WHERE number < 10; COMMIT');
		expect(await reading).toMatchObject({ code: 9000004, data: null });
		await elsewhere.end();
	});

	testAtLength(
		'that is killed leaves its batch to the next one, which goes on where its rows end',
		async () => {
			const first = await start();
			const killed = new Promise<void>((resolve) => {
				meanwhile.set('/20', async () => {
					await first.service.kill();
					resolve();
				});
			});
			const batch = await first.client.start(taskID);
			await killed;
			const next = await start();
			const ended = await next.client.waitFor(batch, ({ status }) => status >= 3);
			expect(ended).toMatchObject({ status: 3, lineCount: pages, duplicatedCount: 0 });
			expect(await next.client.rowsOf(ended)).toEqual(everyPage);
		},
	);

	test('asks for no page once more while the end of a batch that is stopped is not written', async () => {
		const { service, client } = await start();
		const holder = new pg.Client({ connectionString: env.SERVICE_DATABASE });
		const watcher = new pg.Client({ connectionString: env.SERVICE_DATABASE });
		await Promise.all([holder.connect(), watcher.connect()]);
		const onItsWay = Promise.withResolvers<void>();
		meanwhile.set('/10', async () => {
			onItsWay.resolve();
			await sleep(60_000, undefined, { ref: false });
		});
		await client.start(taskID);
		await onItsWay.promise;
		await holder.query('BEGIN; SELECT FROM cloud_scraping.batches FOR UPDATE');
		const stopping = client.call('/cloud/stop', { body: { taskID } });
		const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE batches SET status%'`;
		while ((await watcher.query(waiting)).rowCount === 0) await sleep(10);
		// Time for other agents to take it up.
		await sleep(1_000);
		await holder.query('COMMIT');
		expect(await stopping).toMatchObject({ data: { status: 4 } });
		await Promise.all([holder.end(), watcher.end()]);
		await service.stop();
		expect(asked).toEqual(everyPage.slice(0, 11).map((_, page) => `/${page}`));
	});

	test('goes on when its database is back that was away; meanwhile it answers, and does not end', async () => {
		const { service, client } = await start();
		const away = Promise.withResolvers<void>();
		meanwhile.set('/10', async () => {
			await postgres.crash();
			away.resolve();
		});
		const batch = await client.start(taskID);
		await away.promise;
		await service.logged({ msg: 'database lost, no task starts' });
		const readiness = await fetch(`${service.baseUrl}/readyz`);
		expect(readiness.status).toBe(503);
		expect(await readiness.text()).toMatch(
			/The database postgres:[^ ]+ is away: .+\. See to PostgreSQL\./,
		);
		for (const [path, call] of [
			['/cloud/start', { body: { taskID, nodeCount: 1, jobCount: 1 } }],
			['/cloud/stop', { body: { taskID } }],
			['/cloud/batches', { query: { taskID, page: 1, size: 1, orderBy: 0 } }],
		] as const) {
			const answer = await client.call(path, call);
			expect(answer).toMatchObject({ httpStatus: 500, code: 9000002 });
			expect(answer.msg).toMatch(
				/^The database cannot be reached: .+\. Try again when it is back\.$/,
			);
		}
		await postgres.begin();
		await service.logged({ msg: 'database is back' });
		expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect(ended).toMatchObject({ status: 3, lineCount: pages, duplicatedCount: 0 });
		expect(await client.rowsOf(ended)).toEqual(everyPage);
	});

	testAtLength(
		'does not start where its database cannot be used, and says why without the password',
		async () => {
			env.SERVICE_DATABASE = String(env.SERVICE_DATABASE).replace(/scraping_\d+$/, 'nowhere');
			await expect(start()).rejects.toThrow(
				/The database postgres:\/\/127.0.0.1:\d+\/nowhere does not exist/,
			);
			env.SERVICE_DATABASE = 'mysql://user:a-secret@host/x';
			const said = await start().catch((error: Error) => error.message);
			expect(said).toContain('SERVICE_DATABASE is not the address of a PostgreSQL');
			expect(said).not.toContain('a-secret');
		},
	);
});
