import { testAtLength } from '../../support/length';
import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { pino } from 'pino';
import { status } from '../../../service/src/store/batch.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import { settingsFor } from '../../../service/src/store/postgres/connections.ts';
import { migrations } from '../../../service/src/store/postgres/migrations.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { runScript } from '../../support/service/startService';
import { newBatch, numbers, rows } from './newBatch';

const log = pino({ level: 'silent' });
const open = (database: string, at = log) => openStore({ data: '', database }, { log: at });

test.each(['a b;c', '$user', 'a,b:c@d=e', 'naïve', 'a/b'])(
	'a database is found by its name: %s',
	(name) => {
		const address = `postgres://user@localhost/${encodeURIComponent(name)}`;
		expect(new pg.Client(settingsFor(address)).database).toBe(name);
	},
);

test('no migration has changed', () => {
	const hashes = migrations.map((sql) =>
		createHash('sha256').update(sql).digest('hex').slice(0, 16),
	);
	expect(
		hashes,
		'Databases have gone through these migrations, and will not do so again: leave each as it was committed. Add a new one at the end of the list, and its hash here.',
	).toEqual([
		'6ba42837714bf7db',
		'675e5c0a75e9b6b4',
		'cca16b4815ee5be1',
		'5cbea5540fe961d2',
		'a39e52a0a0cad8f8',
		'17a6eee1b78e57c3',
		'3763be24a85b2e6e',
		'7969a03a3c75432b',
		'2aea8080a7fa4af7',
		'234fbedd60690c12',
		'887de60ce84a87c5',
		'9323020479627e41',
	]);
});

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
	const nameOf = (address: string) => new URL(address).pathname.slice(1);
	const inDatabase = (...statements: string[]) => postgres.run(statements, nameOf(database));
	/** All that stands in the database. */
	const contents = () => postgres.dump(nameOf(database));
	const withUser = (user: string) => database.replace(postgres.user, `${user}:secret`);

	/** What is said at a start with this address, which leaves the database as it is. */
	async function refusal(address = database) {
		const before = contents();
		const said = await open(address).then(
			() => 'opened',
			(error: Error) => error.message,
		);
		expect(contents()).toBe(before);
		expect(said).not.toContain('secret');
		return said;
	}

	test('has its tables in a schema of its own, beside those of other programs', async () => {
		inDatabase('CREATE TABLE public.batches (id text)', "INSERT INTO public.batches VALUES ('x')");
		for (let start = 0; start < 2; start += 1) await (await open(database)).close();
		expect(contents()).toContain('CREATE TABLE cloud_scraping.batches');
		expect(contents()).toContain('CREATE TABLE public.batches');
	});

	test('has them there whatever its address and its owner set for connections', async () => {
		inDatabase(
			`ALTER DATABASE ${nameOf(database)} SET search_path = public`,
			`ALTER DATABASE ${nameOf(database)} SET default_transaction_isolation = 'repeatable read'`,
		);
		const store = await open(`${database}?options=-c%20search_path%3Dpublic%20-c%20work_mem%3D8MB`);
		expect(contents()).toContain('CREATE TABLE cloud_scraping.batches');
		expect(contents()).not.toContain('CREATE TABLE public.');
		const writers = numbers(0, 8);
		const { id } = await store.batches.create(
			newBatch({ jobs: writers.map((first) => ({ first, end: first + 1 })) }),
		);
		const write = async (job: number) =>
			store.rows.append(await store.jobs.claim(id, job), rows([job]));
		await Promise.all(writers.map(write));
		expect(await store.batches.get(id)).toMatchObject({ lineCount: writers.length });
		await store.close();
	});

	test('that lacks characters is refused, and left as it is', async () => {
		postgres.run([
			`CREATE DATABASE narrow ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
		]);
		database = database.replace(nameOf(database), 'narrow');
		expect(await refusal()).toMatch(/its encoding is LATIN1\. Set SERVICE_DATABASE to one with/);
	});

	test('has one clock, that of the database, for what expires and what is deleted', async () => {
		const own = await open(database);
		const { id } = await own.batches.create(newBatch());
		await own.batches.end(id, status.successful);
		const token = await own.sessions.begin('');
		const hash = Buffer.from('row');
		expect(await own.deduplication.newOf('x', [{ hash }])).toHaveLength(1);
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 24 * 3_600_000 });
		const ahead = await open(database);
		expect(await ahead.sessions.find(token)).toBeDefined();
		expect(await ahead.deduplication.newOf('x', [{ hash }])).toEqual([]);
		const { signal } = new AbortController();
		expect(await ahead.retention.deleteBefore(3_600_000, signal)).toBe(0);
		const second = await ahead.batches.create(newBatch());
		await ahead.batches.markRunning(second.id);
		vi.useRealTimers();
		const ended = await own.batches.end(second.id, status.successful);
		expect(ended?.endTime).toBeGreaterThanOrEqual(second.createTime);
		expect(ended?.runTime).toBeLessThan(60_000);
		await ahead.close();
		await own.close();
	});

	testAtLength('is made once by services that start at once', async () => {
		const stores = await Promise.all([1, 2, 3, 4].map(() => open(database)));
		const keys = await Promise.all(stores.map((store) => store.makeKey()));
		expect(keys.filter(({ key }) => key !== undefined)).toHaveLength(1);
		await Promise.all(stores.map((store) => store.close()));
	});

	test.each([
		[
			'another program in its schema',
			'CREATE SCHEMA cloud_scraping; CREATE TABLE cloud_scraping.users (id int)',
			'it holds users.id',
		],
		[
			'another program in the place of the queue',
			'CREATE SCHEMA cloud_scraping_queue; CREATE TABLE cloud_scraping_queue.jobs (id int)',
			'there is cloud_scraping_queue.jobs already',
		],
		[
			'another program with a version',
			'CREATE SCHEMA cloud_scraping; CREATE TABLE cloud_scraping.schema_version (id int)',
			'column "version" does not exist',
		],
	])('that has the tables of %s is refused, and left as it is', async (_what, sql, reason) => {
		inDatabase(sql);
		expect(await refusal()).toMatch(
			`does not have the tables of this service in its schema cloud_scraping: ${reason}. They were left as they are. Set SERVICE_DATABASE`,
		);
	});

	testAtLength('that lacks a column or a table is refused, and left as it is', async () => {
		await (await open(database)).close();
		inDatabase('ALTER TABLE cloud_scraping.starts DROP COLUMN job_count');
		inDatabase('DROP TABLE cloud_scraping.kept_keys');
		const said = await refusal();
		expect(said).toContain(
			'it lacks kept_keys.is_kept, kept_keys.hash, kept_keys.ending, starts.job_count.',
		);
	});

	test('of a newer version is refused, and left as it is', async () => {
		await (await open(database)).close();
		inDatabase('UPDATE cloud_scraping.schema_version SET version = 1000');
		expect(await refusal()).toMatch(
			`is of a newer version of the service: they have version 1000, this service knows ${migrations.length}. Update this service`,
		);
	});

	testAtLength(
		'is not brought to a newer version while a service of an older one is at work, nor written by that later',
		async () => {
			const said = new PassThrough();
			const older = await open(database, pino(said));
			await older.batches.count('any');
			// What a newer service does first: the lock is that of each connection.
			const isFree = 'SELECT 1 / pg_try_advisory_lock(4283160541)::int';
			expect(() => inDatabase(isFree)).toThrow('division by zero');
			postgres.run([
				`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${nameOf(database)}'`,
			]);
			inDatabase(isFree, 'UPDATE cloud_scraping.schema_version SET version = 1000');
			const before = contents();
			const make = (): Promise<unknown> =>
				older.apiKeys.make('late').catch((error: Error) => {
					// The first ones may still meet the connections that are gone.
					if (!error.message.includes('Update')) return make();
					throw error;
				});
			await expect(make()).rejects.toThrow('Update this service');
			for await (const line of said) if (String(line).includes('Update this service')) break;
			expect(contents()).toBe(before);
			await older.close();
		},
	);

	test('for whose user there are no rights, no way in or no database is refused with what to do', async () => {
		inDatabase("CREATE ROLE reader LOGIN PASSWORD 'secret'");
		expect(await refusal(withUser('reader'))).toMatch(/GRANT CREATE ON DATABASE/);
		expect(await refusal(withUser('nobody'))).toMatch(/lets nobody in/);
		expect(await refusal(`${withUser('n8n')}_gone`)).toMatch(/does not exist: .* Create it/);
		await (await open(database)).close();
		expect(await refusal(withUser('reader'))).toMatch(/permission denied/);
		inDatabase('DROP OWNED BY reader', 'DROP ROLE reader');
	});

	test('needs no right to create schemas where its user has both', async () => {
		inDatabase(
			"CREATE ROLE keeper LOGIN PASSWORD 'secret'",
			'CREATE SCHEMA cloud_scraping AUTHORIZATION keeper',
			'CREATE SCHEMA cloud_scraping_queue',
		);
		// Of what it may not do in one of them, it says so before anything stands in the other.
		expect(await refusal(withUser('keeper'))).toMatch(
			/permission denied for schema cloud_scraping_queue\. .* owner of the schemas/,
		);
		inDatabase('DROP SCHEMA cloud_scraping_queue');
		expect(await refusal(withUser('keeper'))).toMatch(/GRANT CREATE ON DATABASE/);
		inDatabase('CREATE SCHEMA cloud_scraping_queue AUTHORIZATION keeper');
		for (let start = 0; start < 2; start += 1) await (await open(withUser('keeper'))).close();
		inDatabase('DROP OWNED BY keeper', 'DROP ROLE keeper');
	});

	testAtLength('that cannot be reached is named without its user and password', async () => {
		const address = 'postgres://somebody:secret@127.0.0.1:1/scraping?application_name=x';
		await expect(open(address)).rejects.toThrow(
			/^The database postgres:\/\/127\.0\.0\.1:1\/scraping cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\. See that PostgreSQL runs there/,
		);
	});

	test('returns each row once to two processes that use one deduplicationID at once', async () => {
		await (await open(database)).close();
		const script = `
			import { openStore } from './store/openStore.ts';
			import { pino } from 'pino';
			const store = await openStore({ data: '', database: process.argv[1] }, { log: pino({ level: 'silent' }) });
			const isBackwards = process.argv[2] === 'backwards';
			let fresh = 0;
			for (let page = 0; page < 40; page += 1) {
				const rows = Array.from({ length: 100 }, (_, index) => ({ hash: Buffer.from(String((isBackwards ? 39 - page : page) * 100 + (isBackwards ? 99 - index : index))) }));
				fresh += (await store.deduplication.newOf('same', rows)).length;
			}
			await store.close();
			console.log(fresh);`;
		const found = await Promise.all(
			['forwards', 'backwards', 'forwards'].map((way) => runScript(script, database, way)),
		);
		expect(found.reduce((sum, fresh) => sum + Number(fresh), 0)).toBe(4_000);
	});

	testAtLength(
		'has rows in order and right counts of two processes that write to one batch at once',
		async () => {
			const store = await open(database);
			const jobs = [0, 1].map((job) => ({ first: job, end: job + 1 }));
			const batch = {
				taskID: 'x',
				task: '{}',
				region: 'us',
				nodeCount: 2,
				requestID: 'x',
				fields: [],
				jobs,
			};
			const { id } = await store.batches.create(batch);
			const script = `
			import { openStore } from './store/openStore.ts';
			import { pino } from 'pino';
			const store = await openStore({ data: '', database: process.argv[1] }, { log: pino({ level: 'silent' }) });
			const [id, job] = [BigInt(process.argv[2]), Number(process.argv[3])];
			const claim = await store.jobs.claim(id, job);
			for (let row = 0; row < 300; row += 1) {
				await store.rows.append(claim, [{ position: String(row), content: JSON.stringify({ a: String(row) }) }]);
			}
			await store.jobs.markDone(claim);
			await store.close();`;
			const address = database;
			await store.close();
			await Promise.all(['0', '1'].map((job) => runScript(script, address, String(id), job)));
			const after = await open(database);
			const stored = await after.batches.get(id);
			expect(stored).toMatchObject({ lineCount: 600, duplicatedCount: 300 });
			const numbers = Array.from({ length: 600 }, (_, row) => `{"a":"${row % 300}"}`);
			expect(await after.rows.read(stored, { offset: 0, size: 1_000 })).toEqual(numbers);
			await after.close();
		},
	);
});
