import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { startWire, type Wire } from '../../support/service/startWire';
import { newBatch } from './newBatch';

const log = pino({ level: 'silent' });
const open = (database: string) => openStore({ data: '', database }, { log });

describeWithPostgres('a database of PostgreSQL', () => {
	let postgres: Postgres;
	let database: string;
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());
	beforeEach(() => {
		database = postgres.newDatabase();
	});

	describe.each([true, false])(
		'that is lost when a change is complete (%s: it is stored)',
		(isStored) => {
			let direct: Store;
			let store: Store;
			let wire: Wire;
			/** What is looked for in what is sent: at the next COMMIT behind that, all is lost. */
			let wanted: string;
			let lost: PromiseWithResolvers<void>;
			/** Whether it is stored by now, as others see it. */
			let isThere: () => Promise<boolean>;
			beforeEach(async () => {
				const { hostname, port } = new URL(database);
				direct = await open(database);
				lost = Promise.withResolvers();
				let state: 'before' | 'at it' | 'lost' = 'before';
				wire = await startWire(hostname, Number(port), (sent) => {
					// Others have transactions as well.
					if (state === 'before' && sent.includes(wanted)) state = 'at it';
					if (state !== 'at it' || !sent.includes('COMMIT')) return;
					state = 'lost';
					if (isStored) setImmediate(() => wire.cut());
					else wire.cut();
					lost.resolve();
				});
				const behind = new URL(database);
				behind.host = wire.host;
				store = await open(behind.href);
			});
			afterEach(async () => {
				await store.close();
				await wire.stop();
				await direct.close();
			});

			/** What `work` comes to, whose end is lost. */
			async function withoutEnd(work: Promise<unknown>): Promise<unknown> {
				const come = work.catch((error: unknown) => error);
				await lost.promise;
				while (isStored && !(await isThere())) await sleep(10);
				wire.mend();
				return come;
			}

			test('says whether a batch is stored: who is told that it is not starts another one', async () => {
				wanted = 'INSERT INTO batches';
				isThere = async () => (await direct.batches.count('task')) > 0;
				const created = await withoutEnd(store.batches.create(newBatch({ taskID: 'task' })));
				expect(created).toMatchObject(
					isStored ? { taskID: 'task' } : { code: 'ERR_DATABASE_AWAY' },
				);
				expect(await isThere()).toBe(isStored);
			});

			test('gives rows that are remembered as returned: nobody would get them any more', async () => {
				wanted = 'INSERT INTO deduplications';
				const rows = [{ hash: Buffer.from('one') }, { hash: Buffer.from('other') }];
				const counter = new pg.Client({ connectionString: database });
				await counter.connect();
				isThere = async () =>
					(await counter.query('SELECT FROM cloud_scraping.returned_rows')).rowCount ===
					rows.length;
				const come = await withoutEnd(store.deduplication.newOf('id', rows));
				const again = await store.deduplication.newOf('id', rows);
				if (isStored) expect(come).toEqual(rows);
				else expect(come).toMatchObject({ code: 'ERR_DATABASE_AWAY' });
				expect(again).toEqual(isStored ? [] : rows);
				await counter.end();
			});
		},
	);

	test('that lets nobody in for a while is away, and what was to be written is written later', async () => {
		const name = new URL(database).pathname.slice(1);
		postgres.run([
			`CREATE ROLE owner LOGIN PASSWORD 'secret'`,
			`ALTER DATABASE ${name} OWNER TO owner`,
		]);
		const store = await open(database.replace(postgres.user, 'owner:secret'));
		postgres.run([
			'ALTER ROLE owner NOLOGIN',
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'owner'`,
		]);
		const { signal } = new AbortController();
		const write = () => store.apiKeys.make('key').catch((error: unknown) => error);
		let error = await write();
		// The first ones may still meet the connections that are gone.
		while (!String(error).includes('not permitted to log in')) error = await write();
		const isBack = store.database.isBack(error, signal);
		expect(await Promise.race([isBack, sleep(1_000)])).toBeUndefined();
		postgres.run(['ALTER ROLE owner LOGIN']);
		expect(await isBack).toBe(true);
		expect(typeof (await write())).toBe('string');
		await store.close();
	});

	test('that is only read for a while, as one that stands by, is not ready, and what was to be written is written later', async () => {
		const name = new URL(database).pathname.slice(1);
		const store = await open(database);
		const readOnly = (is: 'on' | 'off') =>
			postgres.run([
				`ALTER DATABASE ${name} SET default_transaction_read_only = ${is}`,
				`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
			]);
		expect(await store.whyNotReady()).toBeUndefined();
		readOnly('on');
		const { signal } = new AbortController();
		const write = () => store.apiKeys.make('key').catch((error: unknown) => error);
		let error = await write();
		while (!String(error).includes('read-only')) error = await write();
		expect(error).toMatchObject({ code: 'ERR_DATABASE_AWAY' });
		expect(await store.whyNotReady()).toMatch(/ is away: it is only read, and takes no changes\. /);
		const isBack = store.database.isBack(error, signal);
		expect(await Promise.race([isBack, sleep(1_000)])).toBeUndefined();
		readOnly('off');
		expect(await isBack).toBe(true);
		while (typeof (await write()) !== 'string') await sleep(10);
		expect(await store.whyNotReady()).toBeUndefined();
		await store.close();
	});

	test('that has no room for a while is away, as far as writing goes', async () => {
		const store = await open(database);
		const name = new URL(database).pathname.slice(1);
		postgres.run(
			[
				`CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS
				$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
				`CREATE TRIGGER full_disk AFTER INSERT ON cloud_scraping.api_keys
				FOR EACH ROW EXECUTE FUNCTION public.full()`,
			],
			name,
		);
		const write = () => store.apiKeys.make('key').catch((error: unknown) => error);
		const error = await write();
		expect(error).toMatchObject({ code: 'ERR_DATABASE_AWAY', message: 'could not extend file' });
		postgres.run(['DROP TRIGGER full_disk ON cloud_scraping.api_keys'], name);
		const { signal } = new AbortController();
		expect(await store.database.isBack(error, signal)).toBe(true);
		expect(typeof (await write())).toBe('string');
		await store.close();
	});

	test('in which somebody holds a lock is waited for, whatever its user has set about that', async () => {
		const name = new URL(database).pathname.slice(1);
		postgres.run([
			`ALTER DATABASE ${name} SET lock_timeout = '100ms'`,
			`ALTER DATABASE ${name} SET statement_timeout = '100ms'`,
		]);
		const store = await open(database);
		const holder = new pg.Client({ connectionString: database });
		await holder.connect();
		await holder.query('SET statement_timeout = 0');
		await holder.query('BEGIN; LOCK TABLE cloud_scraping.api_keys IN ACCESS EXCLUSIVE MODE');
		const making = store.apiKeys.make('key');
		expect(await Promise.race([making, sleep(1_000)])).toBeUndefined();
		await holder.query('COMMIT');
		expect(typeof (await making)).toBe('string');
		await holder.end();
		await store.close();
	});

	test('keeps connections that have nothing to do, whatever its user has set about that', async () => {
		const name = new URL(database).pathname.slice(1);
		postgres.run([`ALTER DATABASE ${name} SET idle_session_timeout = '300ms'`]);
		const store = await open(database);
		const watcher = new pg.Client({ connectionString: database });
		await watcher.connect();
		await watcher.query('SET idle_session_timeout = 0');
		const connections = async () => {
			const { rows } = await watcher.query<{ pid: number }>(
				"SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name = 'cloud-scraping-service' ORDER BY pid",
				[name],
			);
			return rows.map(({ pid }) => pid);
		};
		const before = await connections();
		expect(before.length).toBeGreaterThan(1);
		await sleep(1_000);
		expect(await connections()).toEqual(expect.arrayContaining(before));
		await watcher.end();
		await store.close();
	});
});
