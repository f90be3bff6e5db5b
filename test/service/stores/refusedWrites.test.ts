import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { cloudClient } from '../../support/service/cloudClient';
import { startService, type RunningService } from '../../support/service/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';

const pages = 20;
const everyPage = Array.from({ length: pages }, (_, page) => ({ Text: `page ${page}` }));

const object = `CREATE FUNCTION public.object() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN RAISE EXCEPTION 'not today'; END $$`;

describeWithPostgres('a PostgreSQL that refuses what is written', () => {
	let postgres: Postgres;
	let site: Site;
	let address: string;
	let elsewhere: pg.Client;
	let service: RunningService | undefined;
	/** Another process on the same database. */
	let other: RunningService | undefined;
	/** What happens while a page is on its way, by its path; each once. */
	const meanwhile = new Map<string, () => Promise<unknown>>();

	beforeAll(async () => {
		postgres = await startPostgres();
		// One for whom policies hold, as they do not for who may do everything.
		postgres.run(['CREATE ROLE worker LOGIN']);
		site = await startSite(async ({ url: { pathname } }) => {
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
	beforeEach(async () => {
		address = postgres.newDatabase();
		elsewhere = new pg.Client({ connectionString: address });
		await elsewhere.connect();
		await elsewhere.query(`GRANT CREATE ON DATABASE ${elsewhere.database} TO worker`);
		address = addressFor('worker');
	});
	afterEach(async () => {
		await service?.stop();
		await other?.stop();
		service = other = undefined;
		await elsewhere.end();
	});

	/** The address of the database for one of its users. */
	function addressFor(user: string): string {
		const url = new URL(address);
		url.username = user;
		return url.href;
	}

	async function start() {
		const urls = Array.from({ length: pages }, (_, page) => `${site.baseUrl}/${page}`);
		const list = loop({ loopType: 'list', listType: 'urlList', urls }, [
			step('navigate', { useLoopItem: true }),
			extract({ Text: {} }, 'p'),
		]);
		const tasks = { pages: task('pages', [list]) };
		service = await startService({ env: { SERVICE_DATABASE: address }, tasks });
		return { running: service, client: cloudClient(service) };
	}

	test.each([
		[
			'a trigger of another program',
			`${object}; CREATE TRIGGER t AFTER INSERT ON cloud_scraping.rows FOR EACH ROW EXECUTE FUNCTION public.object()`,
			'DROP TRIGGER t ON cloud_scraping.rows',
			'not today',
		],
		[
			'a trigger that swallows what is written',
			`CREATE FUNCTION public.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
			CREATE TRIGGER t BEFORE INSERT ON cloud_scraping.rows FOR EACH ROW EXECUTE FUNCTION public.swallow()`,
			'DROP TRIGGER t ON cloud_scraping.rows',
			'the trigger t on rows may change or swallow what is written there: drop it',
		],
		[
			'a rule that swallows what is written',
			'CREATE RULE nothing AS ON UPDATE TO cloud_scraping.jobs DO INSTEAD NOTHING',
			'DROP RULE nothing ON cloud_scraping.jobs',
			'the rule nothing on jobs may change or swallow',
		],
		[
			'a table that was renamed',
			'ALTER TABLE cloud_scraping.rows RENAME TO gone',
			'ALTER TABLE cloud_scraping.gone RENAME TO rows',
			'does not exist',
		],
		[
			'a column that was renamed',
			'ALTER TABLE cloud_scraping.batches RENAME ip_proxy_usage TO gone',
			'ALTER TABLE cloud_scraping.batches RENAME gone TO ip_proxy_usage',
			'ip_proxy_usage',
		],
		[
			'a policy that hides what is there',
			'ALTER TABLE cloud_scraping.batches ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
			'ALTER TABLE cloud_scraping.batches DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY',
			'row-level security',
		],
	])(
		'ends no batch, and is named, until it takes it again: %s',
		async (_what, takes, gives, said) => {
			const { running, client } = await start();
			const taken = Promise.withResolvers<void>();
			meanwhile.set('/5', async () => {
				await elsewhere.query(takes);
				taken.resolve();
			});
			const batch = await client.start(uuidOf('pages'));
			const waiting = await client.start(uuidOf('pages'));
			await taken.promise;
			const ready = () => fetch(`${running.baseUrl}/readyz`);
			while ((await ready()).status !== 503) await sleep(50);
			expect(await (await ready()).text()).toContain(said);
			await running.logged({ level: 50, msg: 'database refuses what is written' });
			await elsewhere.query(gives);
			for (const each of [batch, waiting]) {
				const ended = await client.waitFor(each, ({ status }) => status >= 3);
				expect(ended).toMatchObject({ status: 3, lineCount: pages });
				expect(await client.rowsOf(ended)).toEqual(everyPage);
			}
			while ((await ready()).status !== 200) await sleep(50);
		},
	);

	/** A batch that is at work on a page, in a database that refuses to end it. */
	async function startUnstoppable() {
		const { running, client } = await start();
		const begun = Promise.withResolvers<void>();
		const goOn = Promise.withResolvers<void>();
		meanwhile.set('/5', () => {
			begun.resolve();
			return goOn.promise;
		});
		const batch = await client.start(uuidOf('pages'));
		await begun.promise;
		await elsewhere.query(
			`${object}; CREATE TRIGGER t AFTER UPDATE ON cloud_scraping.batches FOR EACH ROW EXECUTE FUNCTION public.object()`,
		);
		return { running, client, batch, goOn };
	}

	test('is told to who stops a batch: that it is stopped, and not to stop once more', async () => {
		const { client, batch, goOn } = await startUnstoppable();
		const answer = await client.call('/cloud/stop', { body: { taskID: uuidOf('pages') } });
		expect(answer.code).not.toBe(0);
		expect(answer.msg).toBe(
			`Batch ${batch.batchID} is to be stopped, but that could not be written: not today. It is tried again each second until it can. Look, before you stop the task once more, which may stop another of its batches.`,
		);
		goOn.resolve();
		await elsewhere.query('DROP TRIGGER t ON cloud_scraping.batches');
		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect(ended.status).toBe(4);
		expect(ended.lineCount).toBeLessThan(pages);
	});

	test('has each stop named that is not written by the end of the process', async () => {
		const { running, client, batch, goOn } = await startUnstoppable();
		const { code } = await client.call('/cloud/stop', { body: { taskID: uuidOf('pages') } });
		expect(code).not.toBe(0);
		goOn.resolve();
		await running.stop();
		service = undefined;
		const said = running.log.filter(
			({ level, batchID }) => level === 50 && batchID === String(batch.batchID),
		);
		expect(said).toMatchObject([{ reason: 'not today' }]);
		expect(said[0]?.msg).toMatch(/stop it again, when/);
	});

	test('has a stop carried out by another process, when the one that was asked has ended', async () => {
		const { client, batch, goOn, running } = await startUnstoppable();
		const env = { SERVICE_DATABASE: address, SERVICE_AGENTS: '0' };
		other = await startService({ env });
		const { code } = await cloudClient(other).call('/cloud/stop', {
			body: { taskID: uuidOf('pages') },
		});
		expect(code).not.toBe(0);
		await running.logged({ msg: 'batch to be stopped, left' });
		await other.stop();
		other = undefined;
		goOn.resolve();
		await elsewhere.query('DROP TRIGGER t ON cloud_scraping.batches');
		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect(ended.status).toBe(4);
		expect(ended.lineCount).toBeLessThan(pages);
	});

	test('takes no stop, and no end, from who may not write it', async () => {
		const { running, client, batch, goOn } = await startUnstoppable();
		await elsewhere.query('DROP TRIGGER t ON cloud_scraping.batches; CREATE ROLE nobody LOGIN');
		const nobody = new pg.Client({ connectionString: addressFor('nobody') });
		await nobody.connect();
		for (const channel of ['cloud_scraping_stops', 'cloud_scraping_ends']) {
			for (const said of [String(batch.batchID), 'everything', '1.5', '9'.repeat(19), '']) {
				await nobody.query('SELECT pg_notify($1, $2)', [channel, said]);
			}
		}
		goOn.resolve();
		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		await nobody.end();
		expect(ended).toMatchObject({ status: 3, lineCount: pages });
		expect(running.log.filter(({ msg }) => msg === 'batch to be stopped, left')).toEqual([]);
	});

	test('keeps no stop from being written when the process ends, once it takes it', async () => {
		const { running, client, batch, goOn } = await startUnstoppable();
		await client.call('/cloud/stop', { body: { taskID: uuidOf('pages') } });
		await elsewhere.query('DROP TRIGGER t ON cloud_scraping.batches');
		goOn.resolve();
		await running.stop();
		service = undefined;
		const { rows } = await elsewhere.query('SELECT status FROM cloud_scraping.batches');
		expect(rows).toEqual([{ status: 4 }]);
		const said = running.log.filter(
			({ level, batchID }) => level === 50 && batchID === String(batch.batchID),
		);
		expect(said).toEqual([]);
	});

	test('lets no service begin whose user may not write', async () => {
		await start();
		await service?.stop();
		service = undefined;
		await elsewhere.query(`CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA cloud_scraping, cloud_scraping_queue TO reader;
			GRANT ALL ON ALL TABLES IN SCHEMA cloud_scraping TO reader; REVOKE INSERT ON cloud_scraping.rows FROM reader`);
		address = addressFor('reader');
		await expect(start()).rejects.toThrow(
			/does not let the user of SERVICE_DATABASE work on rows \(INSERT\)\. Give it SELECT, INSERT, UPDATE and DELETE/,
		);
	});
});
