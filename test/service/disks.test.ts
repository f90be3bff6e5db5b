import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { openScraping, type Scraping } from '../../service/src/runs/scraping.ts';
import { status } from '../../service/src/store/batch.ts';
import type { Stores } from '../../service/src/store/stores.ts';
import { SqliteBatchStore } from '../../service/src/store/sqlite/batchStore.ts';
import { freeBytes, openDatabase } from '../../service/src/store/sqlite/database.ts';
import { DatabaseFile } from '../../service/src/store/sqlite/databaseFile.ts';
import { DeduplicationStore } from '../../service/src/store/deduplicationStore.ts';
import { SqliteReturnedRows } from '../../service/src/store/sqlite/deduplicationStore.ts';
import { SqliteFailureStore } from '../../service/src/store/sqlite/failureStore.ts';
import { SqliteJobStore } from '../../service/src/store/sqlite/jobStore.ts';
import { migrations } from '../../service/src/store/sqlite/migrations.ts';
import { Reserve } from '../../service/src/store/sqlite/reserve.ts';
import { SqliteRowStore } from '../../service/src/store/sqlite/rowStore.ts';
import { SqliteSelectorStore } from '../../service/src/store/sqlite/selectorStore.ts';
import { SqliteStepPageStore } from '../../service/src/store/sqlite/stepPageStore.ts';
import { checkTask } from '../../service/src/tasks/checkTask.ts';
import { startService } from '../support/inProcess/startService';
import { cloudClient } from '../support/service/cloudClient';
import { testControl } from '../support/service/testControl';
import { spawnService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task } from '../support/service/taskFiles';
import { newBatch } from './stores/newBatch';

// Disks that are full or damaged, and clocks that are set back.

let folder: string;
let data: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-disks-'));
	data = join(folder, 'service.db');
});
afterEach(async () => {
	vi.useRealTimers();
	await rm(folder, { recursive: true });
});

/** The stores of a database that the test looks into. */
const storesIn = (database: DatabaseSync): Stores => ({
	batches: new SqliteBatchStore(database),
	jobs: new SqliteJobStore(database),
	rows: new SqliteRowStore(database),
	failures: new SqliteFailureStore(database),
	selectors: new SqliteSelectorStore(database),
	stepPages: new SqliteStepPageStore(database),
	database: new DatabaseFile(':memory:'),
});

describe('a database that may not grow', () => {
	let site: Site;
	let database: DatabaseSync;
	let scraping: Scraping;
	let failures: string[];

	beforeEach(async () => {
		site = await startSite(({ url }) =>
			url.pathname === '/large' ? `<p>${'large '.repeat(20_000)}</p>` : '<p>small</p>',
		);
		database = openDatabase(data);
		failures = [];
		scraping = openScraping(storesIn(database), {
			browser: undefined,
			agents: 2,
			log: pino({ level: 'silent' }),
			onStoreFailure: (error) => failures.push(String(error)),
		});
		scraping.dispatcher.begin('http://site.example');
	});
	afterEach(async () => {
		await scraping.close();
		database.close();
		await site.stop();
	});

	/** Starts a task that reads this page so often. */
	async function start(path: string, times: number) {
		const url = `${site.baseUrl}${path}`;
		const read = [step('navigate', { url }), extract({ Text: {} }, 'p')];
		const checked = checkTask(task(path, [loop({ loopType: 'count', times }, read)]));
		const batch = await scraping.batches.create({
			...newBatch({ taskID: checked.taskID }),
			task: JSON.stringify(checked),
		});
		scraping.dispatcher.add(batch, checked, [{ number: 0, first: 0, end: 1 }]);
		return batch.id;
	}

	const ended = (id: bigint) =>
		vi.waitFor(
			async () => {
				const batch = await scraping.batches.get(id);
				expect(batch.endTime).toBeGreaterThan(0);
				return batch;
			},
			{ timeout: 60_000, interval: 20 },
		);

	test('ends the run that fills it, with the reason; reading, stopping and later runs go on', async () => {
		const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
		database.exec(`PRAGMA max_page_count = ${pages + 100}`);
		const other = await start('/small', 100_000);
		const filling = await ended(await start('/large', 1_000));
		expect(filling).toMatchObject({ status: status.stopped, failedPages: 0 });
		expect(filling.endReason).toBe(
			'The database cannot be written: database or disk is full. See to its disk, then start the task again.',
		);
		expect(filling.lineCount).toBeGreaterThan(0);
		const window = { offset: 0, size: 1_000 };
		expect(await scraping.rows.read(filling, window, Infinity)).toHaveLength(filling.lineCount);
		expect(failures.length).toBeGreaterThan(0);
		expect((await scraping.dispatcher.stop(other))?.status).toBe(status.stopped);
		database.exec('PRAGMA max_page_count = 1000000');
		expect(await ended(await start('/large', 3))).toMatchObject({
			status: status.successful,
			lineCount: 3,
		});
	});

	test('has batches wait that only wait, until it can be written that they begin', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout'] });
		const full = new Error('database or disk is full');
		const markRunning = vi.spyOn(scraping.batches, 'markRunning').mockRejectedValue(full);
		const ids = [await start('/small', 3), await start('/small', 3), await start('/small', 3)];
		const statuses = async () =>
			(await Promise.all(ids.map((id) => scraping.batches.get(id)))).map((batch) => batch.status);
		for (let tries = 1; tries <= 3; tries += 1) {
			await vi.waitFor(() => expect(failures.length).toBeGreaterThanOrEqual(tries));
			await vi.advanceTimersByTimeAsync(1_000);
		}
		expect(await statuses()).toEqual(ids.map(() => status.waiting));
		expect(failures[0]).toContain(`The database cannot be written: ${full.message}.`);
		markRunning.mockRestore();
		await vi.advanceTimersByTimeAsync(1_000);
		vi.useRealTimers();
		for (const id of ids)
			expect(await ended(id)).toMatchObject({ status: status.successful, lineCount: 3 });
	});

	test('that takes no end either ends a batch as soon as it does, and nobody works on it meanwhile', async () => {
		const id = await start('/small', 100_000);
		const someRows = async () =>
			expect((await scraping.batches.get(id)).lineCount).toBeGreaterThan(0);
		await vi.waitFor(someRows, { timeout: 60_000, interval: 20 });
		vi.useFakeTimers({ toFake: ['setTimeout'] });
		vi.spyOn(scraping.batches, 'end').mockRejectedValueOnce(new Error('disk I/O error'));
		await expect(scraping.dispatcher.stop(id)).rejects.toThrow('disk I/O error');
		const { lineCount } = await scraping.batches.get(id);
		await vi.advanceTimersByTimeAsync(999);
		expect((await scraping.batches.get(id)).status).toBe(status.running);
		await vi.advanceTimersByTimeAsync(1);
		expect(await scraping.batches.get(id)).toMatchObject({ status: status.stopped, lineCount });
	});
});

test('room is held beside the database, and made when the disk is full', async () => {
	const needed = 8 * 1024 * 1024;
	let freeInside = 0;
	const reserve = new Reserve(data, () => freeInside);
	expect(reserve.hold()).toBe(true);
	expect((await readFile(reserve.file)).length).toBe(needed);
	expect(reserve.hold()).toBe(true);
	expect(reserve.whyNeeded()).toBeUndefined();
	const file = new DatabaseFile(data, reserve);
	reserve.release();
	expect(existsSync(reserve.file)).toBe(false);
	// What room there is then is for ends and deletions, until there is enough again: on the disk, or inside.
	const hold = vi.spyOn(reserve, 'hold').mockReturnValue(false);
	const full = `The disk of ${reserve.file} is full, or cannot be written: make room there, or delete old batches.`;
	expect(file.whyLost()).toBe(full);
	freeInside = needed;
	expect([file.whyLost(), reserve.whyMissing()]).toEqual([full, full]);
	freeInside = 1.25 * needed;
	expect([file.whyLost(), reserve.whyMissing()]).toEqual([undefined, undefined]);
	freeInside = needed - 1;
	expect([file.whyLost(), reserve.whyMissing()]).toEqual([full, full]);
	// The end of a run may free a little.
	freeInside = needed + 1;
	expect([file.whyLost(), reserve.whyMissing()]).toEqual([full, full]);
	freeInside = 1.25 * needed;
	expect([file.whyLost(), reserve.whyMissing()]).toEqual([undefined, undefined]);
	freeInside = needed - 1;
	hold.mockRestore();
	expect(file.whyLost()).toBeUndefined();
	expect(existsSync(reserve.file)).toBe(true);
	expect(new Reserve(join(folder, 'nowhere', 'service.db'), () => 0).hold()).toBe(false);
});

test('what is in reserve is given up for whoever is refused first on a full disk', async () => {
	const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
	const release = vi.spyOn(Reserve.prototype, 'release');
	const service = await startService({ env: { SERVICE_TEST_CONTROL: 'true' } });
	try {
		const [database] = exec.mock.contexts;
		const [taskID, id] = [randomUUID(), randomUUID()];
		const rows = Array.from({ length: 1_000 }, (_, number) => ({ [id]: String(number) }));
		const batch = { taskID, status: status.successful, fields: [{ id, name: 'Number' }], rows };
		const [batchID = ''] = await testControl(service).seed(batch);
		if (!(database instanceof DatabaseSync)) throw new Error('No database was opened.');
		database.exec('PRAGMA max_page_count = 1');
		expect(release).not.toHaveBeenCalled();
		const query = { taskID, batchID, page: 1, size: 1_000, preview: false, deduplication: true };
		const reads = async (deduplicationID: string) =>
			(await cloudClient(service).call('/cloud/data', { query: { ...query, deduplicationID } }))
				.msg;
		expect(await reads('one')).toContain('database or disk is full');
		expect(release).toHaveBeenCalled();
		// What room there is then is for ends, and not for what is remembered.
		vi.spyOn(Reserve.prototype, 'hold').mockReturnValue(false);
		expect(await reads('two')).toMatch(/^The disk of .* is full, or cannot be written/);
	} finally {
		vi.restoreAllMocks();
		await service.stop();
	}
});

test('what deleted rows have left in a database is free inside of it', () => {
	const database = openDatabase(data);
	const before = freeBytes(database);
	database.exec(
		'CREATE TABLE large (text TEXT); INSERT INTO large VALUES (zeroblob(10000000)); DELETE FROM large',
	);
	expect(freeBytes(database) - before).toBeGreaterThan(9_900_000);
	database.close();
});

test('what a deduplicationID has returned is forgotten by time that has passed, however the clock is set', async () => {
	const hour = 3_600_000;
	vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
	const database = openDatabase(data);
	const rows = new DeduplicationStore(new SqliteReturnedRows(database));
	const isNew = async () => (await rows.newOf('one', [{ hash: Buffer.from('row') }])).length > 0;
	expect(await isNew()).toBe(true);
	for (const set of [-2, 2, 50 / 60, 2, -2, 400 * 24, -800 * 24]) {
		vi.setSystemTime(Date.now() + set * hour);
		expect([set, await isNew()]).toEqual([set, false]);
	}
	vi.advanceTimersByTime(hour - 1_000);
	expect(await isNew()).toBe(false);
	vi.advanceTimersByTime(hour + 1_000);
	expect(await isNew()).toBe(true);
	await rows.close();
	database.close();
});

test('a damaged database is named at start, with its path and what to do', async () => {
	const database = openDatabase(data);
	const batches = new SqliteBatchStore(database);
	for (let number = 0; number < 500; number += 1)
		await batches.create(newBatch({ taskID: 'damaged' }));
	database.close();
	const file = await open(data, 'r+');
	const { size } = await file.stat();
	// From the second page on: the first says what the file is.
	for (let at = 4_096; at < size; at += 8_192)
		await file.write(Buffer.alloc(3_000, 7), 0, 3_000, at);
	await file.close();
	const service = spawnService({ SERVICE_PORT: '0', SERVICE_DATA: data });
	const end = once(service, 'exit');
	service.stdout.resume();
	const said = await text(service.stderr);
	await end;
	expect(service.exitCode).toBe(1);
	expect(said).toMatch(new RegExp(`^The database ${data} is damaged: [^]+\\. Move it away, with`));
	expect(said).toContain(`"sqlite3 ${data} .recover" shows what can still be read.`);
});

test.each([
	['was emptied', 'is empty', async () => await writeFile(data, '')],
	['was removed', 'is not there', async () => await rm(data)],
])('a database that %s is taken for no new one', async (_, said, spoil) => {
	const database = openDatabase(data);
	await new SqliteBatchStore(database).create(newBatch({ taskID: 'gone' }));
	const wal = await readFile(`${data}-wal`);
	database.close();
	await spoil();
	// As a process leaves it that was killed.
	await writeFile(`${data}-wal`, wal);
	expect(() => openDatabase(data)).toThrow(`is damaged: the file ${said}, and those beside it`);
	expect(await readFile(`${data}-wal`)).toEqual(wal);
	await rm(`${data}-wal`);
	openDatabase(data).close();
	await writeFile(data, '');
	openDatabase(data).close();
	expect(new Reserve(data, () => 0).hold()).toBe(true);
	await writeFile(data, '');
	expect(() => openDatabase(data)).toThrow('is damaged: the file is empty');
});

test('a task ID in capitals of an earlier version keeps its history, and deduplicationIDs what they have returned', async () => {
	const taskID = 'ABCDEF00-1111-4111-8111-111111111111';
	const old = new DatabaseSync(data);
	const oldTables = migrations.slice(0, 3).map(({ sql }) => sql);
	old.exec(`${oldTables.join(';')}; PRAGMA user_version = 3;
			INSERT INTO batches (id, task_id, region, node_count, job_count, status, create_time, update_time, request_id, fields)
				VALUES (1, '${taskID}', 'us', 1, 1, 3, 1, 1, 'test', '[]');
			INSERT INTO deduplications VALUES ('one', ${Date.now()}), ('other', ${Date.now()});
			INSERT INTO returned_rows VALUES ('one', CAST('a' AS BLOB)), ('other', CAST('b' AS BLOB))`);
	old.close();
	const database = openDatabase(data);
	expect(await new SqliteBatchStore(database).count(taskID)).toBe(1);
	const returned = new SqliteReturnedRows(database);
	const [a, b] = [Buffer.from('a'), Buffer.from('b')];
	expect(await returned.remember('one', [a, b])).toEqual([b]);
	expect(await returned.remember('other', [a, b])).toEqual([a]);
	expect(database.prepare('PRAGMA user_version').get()).toEqual({
		user_version: migrations.length,
	});
	database.close();
});
