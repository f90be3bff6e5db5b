import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { startWire } from '../../support/service/startWire';
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

	test('says whether a batch is stored where it is lost at that moment: who is told that it is not starts another one', async () => {
		const { hostname, port } = new URL(database);
		const direct = await open(database);
		for (const isHeard of [true, false]) {
			const taskID = `heard: ${isHeard}`;
			const count = () => direct.batches.count(taskID);
			const lost = Promise.withResolvers<void>();
			let state: 'before' | 'at it' | 'lost' = 'before';
			const wire = await startWire(hostname, Number(port), (sent) => {
				// Others have transactions as well.
				if (state === 'before' && sent.includes('INSERT INTO batches')) state = 'at it';
				if (state !== 'at it' || !sent.includes('COMMIT')) return;
				state = 'lost';
				if (isHeard) setImmediate(() => wire.cut());
				else wire.cut();
				lost.resolve();
			});
			const behind = new URL(database);
			behind.host = wire.host;
			const store = await open(behind.href);
			const creating = store.batches.create(newBatch({ taskID })).catch((error: unknown) => error);
			await lost.promise;
			while (isHeard && (await count()) === 0) await sleep(10);
			wire.mend();
			expect(await creating).toMatchObject(isHeard ? { taskID } : { code: 'ERR_DATABASE_AWAY' });
			expect(await count()).toBe(isHeard ? 1 : 0);
			await store.close();
			await wire.stop();
		}
		await direct.close();
	});

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
});
