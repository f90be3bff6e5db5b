import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { StoreError, written } from '../../../service/src/agents/storeError.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { newBatch } from './newBatch';

/** What somebody may undo, by what triggers of other programs, settings and people have PostgreSQL say. */
const codes = ['22012', '23503', '23505', '25P03', '40001', '54001', '55P03', '57014', 'XX000'];

describeWithPostgres('a statement that PostgreSQL refuses', () => {
	let postgres: Postgres;
	let store: Store;
	let elsewhere: pg.Client;
	const log = pino({ level: 'silent' });
	const { signal } = new AbortController();
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());
	beforeEach(async () => {
		const database = postgres.newDatabase();
		store = await openStore({ data: '', database }, { log });
		elsewhere = new pg.Client({ connectionString: database });
		await elsewhere.connect();
	});
	afterEach(async () => {
		await elsewhere.end();
		await store.close();
	});

	/** Stores a row with this position as an agent does. */
	async function append(position: string): Promise<number> {
		const { id } = await store.batches.create(newBatch());
		const claim = await store.jobs.claim(id, 0);
		const row = { position, content: '{}' };
		return written(store.database, () => store.rows.append(claim, [row]), signal);
	}

	test('is tried again, whichever code another program has chosen', async () => {
		// What a sequence has given is not taken back with the transaction.
		await elsewhere.query(`CREATE SEQUENCE tries;
			CREATE FUNCTION public.object() RETURNS trigger LANGUAGE plpgsql AS $$
			DECLARE code text := ('{${codes.join()}}'::text[])[nextval('public.tries')];
			BEGIN IF code IS NOT NULL THEN RAISE EXCEPTION 'not today' USING ERRCODE = code; END IF; RETURN NEW; END $$;
			CREATE TRIGGER t AFTER INSERT ON cloud_scraping.rows FOR EACH ROW EXECUTE FUNCTION public.object()`);
		expect(await append('0')).toBe(0);
		const { rows } = await elsewhere.query('SELECT last_value::integer FROM tries');
		expect(rows).toEqual([{ last_value: codes.length + 1 }]);
	});

	test('is tried again where its table has a constraint of another program', async () => {
		await elsewhere.query('ALTER TABLE cloud_scraping.rows ADD CHECK (false)');
		const appended = append('0');
		while ((await store.whyNotReady()) === undefined) await sleep(50);
		expect(await store.whyNotReady()).toContain('violates check constraint');
		await elsewhere.query('ALTER TABLE cloud_scraping.rows DROP CONSTRAINT rows_check');
		expect(await appended).toBe(0);
	});

	test('is named where it has no room, though there is some elsewhere', async () => {
		await elsewhere.query(`CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
			CREATE TRIGGER t AFTER INSERT ON cloud_scraping.rows FOR EACH ROW EXECUTE FUNCTION public.full()`);
		const appended = append('0');
		while ((await store.whyNotReady()) === undefined) await sleep(50);
		expect(await store.whyNotReady()).toContain('No space left on device');
		await elsewhere.query('DROP TRIGGER t ON cloud_scraping.rows');
		expect(await appended).toBe(0);
	});

	test('is tried again when somebody has called it off', async () => {
		await elsewhere.query('BEGIN; LOCK TABLE cloud_scraping.rows');
		const appended = append('0');
		const cancel = 'SELECT pg_cancel_backend(pid) FROM pg_locks WHERE NOT granted';
		while ((await elsewhere.query(cancel)).rowCount === 0) await sleep(50);
		await elsewhere.query('ROLLBACK');
		expect(await appended).toBe(0);
	});

	test('neither begins nor ends a batch while another program may swallow that', async () => {
		const { id } = await store.batches.create(newBatch());
		await elsewhere.query(`CREATE FUNCTION public.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
			CREATE TRIGGER t BEFORE UPDATE ON cloud_scraping.batches FOR EACH ROW EXECUTE FUNCTION public.swallow()`);
		const refused = 'the trigger t on batches may change or swallow what is written there';
		await expect(store.batches.end(id, 4)).rejects.toThrow(refused);
		await expect(store.batches.create(newBatch())).rejects.toThrow(refused);
		await elsewhere.query('ALTER TABLE cloud_scraping.batches DISABLE TRIGGER t');
		expect(await store.batches.end(id, 4)).toMatchObject({ id, status: 4 });
	});

	test('fails by what is in it, which another try does not change', async () => {
		await expect(append(randomBytes(10_000).toString('hex'))).rejects.toThrow(StoreError);
		expect(await store.whyNotReady()).toBeUndefined();
	});
});
