import { hash, randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { copiedTables } from '../../../service/src/store/copiedTables.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import { hashOf } from '../../../service/src/store/rowStore.ts';
import { migrations } from '../../../service/src/store/sqlite/migrations.ts';
import { length, testAtLength } from '../../support/length';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { startService } from '../../support/inProcess/startService';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { startSite } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf, writeTasks } from '../../support/service/taskFiles';
import { main, useCopies } from './useCopies';

const log = pino({ level: 'silent' });

describeWithPostgres('copy', () => {
	const ground = useCopies();
	const { inDatabase, contents, copy, change, fileWith } = ground;
	let folder: string;
	let file: string;
	let database: string;
	beforeEach(() => ({ folder, file, database } = ground));

	test('knows each column of the file', () => {
		const known = new DatabaseSync(':memory:');
		for (const { sql, neededWhere } of migrations) if (!neededWhere) known.exec(sql);
		const columns = known
			.prepare(
				`SELECT t.name || '.' || c.name AS name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
				WHERE t.type = 'table' AND t.name <> 'console_sessions' ORDER BY 1`,
			)
			.all()
			.map(({ name }) => name);
		const copied = copiedTables.flatMap(({ name, columns }) =>
			Object.keys(columns).map((column) => `${name}.${column}`),
		);
		expect(copied.sort()).toEqual(columns);
	});

	test('brings all that a service has kept, and the next one goes on with it', async () => {
		let isOpen = false;
		const asked = Promise.withResolvers<undefined>();
		const site = await startSite(async ({ url: { pathname }, closed }) => {
			if (pathname === '/gone') return { status: 404 };
			if (pathname === '/late' && !isOpen) {
				asked.resolve(undefined);
				await closed;
			}
			return '<p>a</p><p>b</p><p>a</p>';
		});
		const reading = (name: string, paths: string[]) =>
			task(name, [
				loop(
					{ loopType: 'list', listType: 'urlList', urls: paths.map((path) => site.baseUrl + path) },
					[step('navigate', { useLoopItem: true }), extract({ Text: {}, Missing: 'b' }, 'p')],
				),
			]);
		const before = await startService({
			folder,
			tasks: { done: reading('done', ['/1', '/gone']), late: reading('late', ['/1', '/late']) },
		});
		const client = cloudClient(before);
		const { batch } = await client.run(uuidOf('done'), { jobCount: 2 });
		const once = { deduplication: true, deduplicationID: 'x', size: 1 };
		expect((await client.data(batch.batchID, once)).list).toHaveLength(1);
		const visit = await consoleClient(before);
		await visit('/console/keys', { method: 'POST', body: new URLSearchParams({ name: 'other' }) });
		const late = await client.start(uuidOf('late'));
		await asked.promise;
		await before.end();
		const store = await openStore({ data: file }, { log });
		const kept = await store.makeKey();
		await store.close();
		// Texts of PostgreSQL have no such character.
		const odd = new DatabaseSync(file);
		odd.exec("UPDATE failed_pages SET reason = reason || char(0) || 'x'");
		odd.close();

		const keyFile = readFileSync(`${file}.api-key`);
		const { exitCode, out, error } = await copy(folder);
		expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
		expect(out).toContain(`are now in ${database.replace(/\/\/.*@/, '//')}:\n`);
		expect(out).toMatch(/^ +2 {2}batches$/m);
		expect(out).toMatch(/^ +2 {2}tasks$/m);
		expect(out).toMatch(/^ +1 {2}failed pages$/m);
		expect(out).toMatch(/^ +1 {2}API keys made in the console$/m);
		expect(out).toContain(
			'All of it was read back and is equal; so are the rows of each of 2 batches',
		);
		expect(out).toContain(
			`had not ended, 1 of them, go on there when a service starts; in ${file} they`,
		);
		expect(readFileSync(`${file}.api-key`)).toEqual(keyFile);
		const left = await openStore({ data: file }, { log });
		const where = database.replace(/\/\/.*@/, '//');
		expect(await left.batches.get(BigInt(late.batchID))).toMatchObject({
			status: 4,
			endReason: `It was copied to ${where}, and goes on there.`,
		});
		await left.close();

		isOpen = true;
		await rm(join(folder, 'tasks'), { recursive: true });
		const after = await startService({ env: { SERVICE_DATABASE: database } });
		const next = cloudClient(after);
		expect((await next.batches(uuidOf('done'))).list).toEqual([batch]);
		expect(await next.rowsOf(batch)).toHaveLength(3);
		expect((await next.data(batch.batchID, { ...once, size: 10 })).list).toHaveLength(1);
		const ended = await next.waitFor(late, ({ status }) => status >= 3);
		expect(ended).toMatchObject({ status: 3, lineCount: 6, duplicatedCount: 4 });
		const again = await next.run(uuidOf('done'));
		expect(BigInt(again.batch.batchID)).toBeGreaterThan(BigInt(ended.batchID));
		const visitNext = await consoleClient(after);
		const page = await (await visitNext(`/console/batches/${batch.batchID}`)).text();
		expect(page).toContain('/gone');
		expect(page).toContain('batch ended with failures');
		expect(await (await visitNext('/console/keys')).text()).toContain('other');
		await after.stop();
		const copied = await openStore({ data: '', database }, { log });
		expect(await copied.keptKey()).toMatchObject({ hash: kept.hash, ending: kept.ending });
		await copied.close();
		await site.stop();
	});

	testAtLength(
		'takes a file from which a service was torn away, with all that it had stored',
		async () => {
			const id = await fileWith(10);
			const torn = new DatabaseSync(file);
			torn.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
			torn.exec("UPDATE batches SET region = 'jp'");
			const from = join(folder, 'torn.db');
			for (const end of ['', '-wal']) copyFileSync(file + end, from + end);
			torn.close();
			expect((await copy(from)).exitCode).toBe(0);
			const store = await openStore({ data: '', database }, { log });
			expect(await store.batches.get(id)).toMatchObject({ region: 'jp', lineCount: 10 });
			await store.close();
		},
	);

	describe('refuses, and writes nothing,', () => {
		/** What is said, and that not even tables are made. */
		async function refusal(from = file) {
			const before = contents();
			const { exitCode, out, error } = await copy(from);
			expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
			expect(contents()).toBe(before);
			return error;
		}

		test('a file that a service works on', async () => {
			const store = await openStore({ data: file }, { log });
			expect(await refusal()).toBe(
				`The database ${file} cannot be copied: a service works on it, or another program writes it. Stop that one, then copy again.\n`,
			);
			await store.close();
		});

		test('a file that somebody writes, in which batches could not end', async () => {
			await fileWith(1);
			const writer = new DatabaseSync(file);
			writer.exec('BEGIN IMMEDIATE');
			expect(await refusal()).toBe(
				`The database ${file} cannot be copied: a service works on it, or another program writes it. Stop that one, then copy again.\n`,
			);
			writer.exec('ROLLBACK');
			writer.close();
			expect((await copy()).exitCode).toBe(0);
		});

		testAtLength(
			'a file of an earlier or later version, of another program, damaged, empty, or none',
			async () => {
				expect(await refusal()).toContain('there is no such file. Name a file of SERVICE_DATA');
				writeFileSync(file, '');
				expect(await refusal()).toContain('does not have the tables of this service: it is empty');
				writeFileSync(file, 'no database at all, but a text that is long enough');
				expect(await refusal()).toContain('file is not a database. Name a file of SERVICE_DATA');
				await rm(file);
				await fileWith(2_000);
				change(`PRAGMA user_version = ${migrations.length - 1}`);
				expect(await refusal()).toContain('Start this one on it once, with SERVICE_DATA');
				change('PRAGMA user_version = 1000');
				expect(await refusal()).toContain('of a newer version of the service');
				change(
					`PRAGMA user_version = ${migrations.length}; ALTER TABLE starts DROP COLUMN job_count`,
				);
				expect(await refusal()).toContain('it lacks starts.job_count');
				const bytes = readFileSync(file);
				writeFileSync(
					file,
					Buffer.concat([bytes.subarray(0, 8_192), randomBytes(bytes.length - 8_192)]),
				);
				expect(await refusal()).toMatch(/is damaged|malformed/);
			},
		);

		testAtLength('where a task file is bad', async () => {
			await fileWith(1);
			await writeTasks(join(folder, 'tasks'), {
				bad: '{',
				good: task('good', [extract({ A: 'p' })]),
			});
			expect(await refusal()).toContain('bad.json: Line 1');
		});

		test('a database that is not empty, or that of another program', async () => {
			await fileWith(1);
			const store = await openStore({ data: '', database }, { log });
			await store.apiKeys.make('x');
			await store.tasks?.begin([{ name: 'x.json', taskID: 'x', text: '{}' }]);
			await store.close();
			expect(await refusal()).toContain(
				'is not empty: it holds 1 API key made in the console, 1 task, 1 mark of a first start. Nothing was copied. Set SERVICE_DATABASE to a new one (createdb) that holds nothing: no service was started on it, nor tasks imported.',
			);
			database = ground.newDatabase();
			inDatabase('CREATE SCHEMA cloud_scraping', 'CREATE TABLE cloud_scraping.users (id int)');
			expect(await refusal()).toContain('it holds users.id. They were left as they are');
		});

		testAtLength(
			'what breaks off on the way, or arrives as something else; the next try copies all',
			async () => {
				const id = await fileWith(2_500);
				await (await openStore({ data: '', database }, { log })).close();
				const whenRows = (does: string) =>
					inDatabase(
						`CREATE OR REPLACE FUNCTION public.change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
						IF NEW.number = 2200 THEN ${does} END IF; RETURN NEW; END $$`,
						`CREATE OR REPLACE TRIGGER change AFTER INSERT ON cloud_scraping.rows
						FOR EACH ROW EXECUTE FUNCTION public.change()`,
					);
				whenRows("RAISE EXCEPTION 'no room';");
				expect(await refusal()).toContain('cannot be used: no room. See to PostgreSQL');
				whenRows("UPDATE cloud_scraping.rows SET content = 'other' WHERE number = NEW.number;");
				expect(await refusal()).toContain(
					`has not got what was sent: rows of batch ${id}: 2500 rows were read, 2500 arrived, with other values. Nothing was kept`,
				);
				whenRows('DELETE FROM cloud_scraping.rows WHERE number = NEW.number;');
				expect(await refusal()).toContain('2500 rows were read, 2499 arrived. Nothing');
				inDatabase('DROP TRIGGER change ON cloud_scraping.rows');
				const { out } = await copy();
				expect(out).toMatch(/^ +2500 {2}rows$/m);
			},
		);
	});

	testAtLength('holds no more than a part of the rows', async () => {
		// In all, more than the program may hold.
		const count = length({ full: 250_000, short: 30_000 });
		const content = length({ full: 1_000, short: 4_000 });
		const id = await fileWith(0);
		const filled = new DatabaseSync(file);
		filled.exec('BEGIN');
		const insert = filled.prepare('INSERT INTO rows VALUES (?, 0, ?, ?, ?, ?)');
		for (let row = 0; row < count; row += 1) {
			const text = JSON.stringify({ a: String(row).padEnd(content, '.') });
			insert.run(id, row, String(row), hashOf(text), text);
		}
		filled.exec(`UPDATE jobs SET row_count = ${count}, done = 1`);
		filled.exec(`UPDATE batches SET line_count = ${count}, status = 3`);
		filled.exec('COMMIT');
		filled.close();
		const { exitCode, out, error } = await copy(file, {
			program: ['--max-old-space-size=64', main],
		});
		expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
		expect(out).toMatch(new RegExp(`^ +${count} {2}rows$`, 'm'));
		const store = await openStore({ data: '', database }, { log });
		const batch = await store.batches.get(id);
		const [last] = await store.rows.read(batch, { offset: count - 1, size: 1 });
		expect(hash('sha256', last ?? '')).toBe(
			hash('sha256', JSON.stringify({ a: String(count - 1).padEnd(content, '.') })),
		);
		await store.close();
	});
});
