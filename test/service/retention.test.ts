import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../support/inProcess/startService';
import { cloudClient, type Batch } from '../support/service/cloudClient';
import { length } from '../support/length';
import { startService as startProcess } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { stopwatch } from '../support/service/stopwatch';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// SERVICE_KEEP_DAYS: batches that ended so many days ago are deleted, with all that belongs to them.

const rowsOfPage = 2_000;

/** Rows of a batch that takes long to delete. */
const many = length({ full: 200_000, short: 40_000 });
/** Requests meanwhile. */
const requests = length({ full: 500, short: 200 });

let site: Site;
let service: { folder: string; end(): Promise<void> } | undefined;

beforeAll(async () => {
	const row = (_: unknown, index: number) => `<p>row ${index}</p>`;
	const page = Array.from({ length: rowsOfPage }, row).join('');
	site = await startSite(({ url }) => (url.pathname === '/gone' ? { status: 404 } : page));
});

afterEach(async () => {
	await service?.end();
	if (service) await rm(service.folder, { recursive: true, force: true });
	service = undefined;
});

afterAll(() => site?.stop());

/** Starts a service whose batches have 4,000 rows, a failed page and a selector that finds nothing. */
async function startWith(env: Record<string, string> = {}, folder?: string) {
	const urls = ['/1', '/gone', '/2'].map((path) => site.baseUrl + path);
	const reading = loop({ loopType: 'list', listType: 'urlList', urls }, [
		step('navigate', { useLoopItem: true }),
		extract({ Text: {}, Missing: 'b' }, 'p'),
	]);
	const running = await startService({
		tasks: { reading: task('reading', [reading]) },
		env,
		folder,
	});
	service = running;
	return { running, client: cloudClient(running) };
}

/** Starts a service on what another one has left, as a process that can crash. */
async function startProcessIn(folder: string) {
	const running = await startProcess({ env: { SERVICE_KEEP_DAYS: '1' }, folder });
	service = { folder, end: () => running.kill() };
	return running;
}

const taskID = uuidOf('reading');

/** The database of a service at rest. */
const databaseOf = ({ folder }: { folder: string }) => new DatabaseSync(join(folder, 'service.db'));

/** Makes batches end so many days ago. */
function age(resting: { folder: string }, days: number, batches: Batch[]): void {
	const database = databaseOf(resting);
	const older = database.prepare('UPDATE batches SET end_time = end_time - ? WHERE id = ?');
	for (const { batchID } of batches) older.run(days * 24 * 60 * 60 * 1000, BigInt(batchID));
	database.close();
}

/** How many rows of which table belong to which batch. */
function kept(resting: { folder: string }): Record<string, Record<string, number>> {
	const database = databaseOf(resting);
	const counts: Record<string, Record<string, number>> = {};
	const count = (table: string, sql: string) => {
		for (const { batch, count } of database.prepare(sql).all()) {
			(counts[String(batch)] ??= {})[table] = Number(count);
		}
	};
	for (const table of ['batches', 'rows', 'jobs', 'failed_pages', 'selectors']) {
		const id = table === 'batches' ? 'id' : 'batch_id';
		count(
			table,
			`SELECT CAST(${id} AS TEXT) AS batch, count(*) AS count FROM ${table} GROUP BY batch`,
		);
	}
	// How many lines of the log there are depends on the moment of the kill.
	count(
		'batch_log',
		'SELECT DISTINCT CAST(batch_id AS TEXT) AS batch, 1 AS count FROM batch_log WHERE batch_id NOT IN (SELECT id FROM batches)',
	);
	database.close();
	return counts;
}

/** What a batch of these tests has in the database: selectors are that of the rows, and two of fields. */
const whole = { batches: 1, rows: 2 * rowsOfPage, jobs: 1, failed_pages: 1, selectors: 3 };

test('batches go that ended as many days ago, and nothing else does', async () => {
	const first = await startWith();
	const old = (await first.client.run(taskID)).batch;
	const stopped = await first.client.start(taskID);
	await first.client.stop(taskID);
	const young = (await first.client.run(taskID)).batch;
	await first.running.end();
	age(first.running, 3.1, [old, stopped]);
	age(first.running, 2.9, [young]);

	const { running, client } = await startWith({ SERVICE_KEEP_DAYS: '3' }, first.running.folder);
	await running.logged({ msg: 'old batches deleted', batches: 2, keepDays: 3 });
	expect((await client.batches(taskID)).list.map(({ batchID }) => batchID)).toEqual([
		young.batchID,
	]);
	expect(await client.rowsOf(young)).toHaveLength(2 * rowsOfPage);
	const { code } = await client.call('/cloud/data', {
		query: { batchID: old.batchID, page: 1, size: 10, preview: false },
	});
	expect(code).toBe(9000004);
	// New batches are none of the old.
	const next = (await client.run(taskID)).batch;
	await running.end();
	expect(kept(running)).toEqual({ [young.batchID]: whole, [next.batchID]: whole });
});

test('without the setting they stay', async () => {
	const first = await startWith();
	const { batch } = await first.client.run(taskID);
	await first.running.end();
	age(first.running, 10_000, [batch]);
	const { running, client } = await startWith({}, first.running.folder);
	await sleep(500);
	expect(await client.rowsOf(batch)).toHaveLength(2 * rowsOfPage);
	await running.end();
	expect(kept(running)).toEqual({ [batch.batchID]: whole });
});

test('a crash leaves nothing behind that the next start does not delete', async () => {
	const first = await startWith();
	const { batch } = await first.client.run(taskID);
	await first.running.end();
	age(first.running, 2, [batch]);
	// Killed at some moment of the deletion.
	await (await startProcessIn(first.running.folder)).kill();
	const third = await startWith({ SERVICE_KEEP_DAYS: '1' }, first.running.folder);
	expect((await third.client.batches(taskID)).list).toEqual([]);
	await sleep(2_000);
	await third.running.end();
	expect(kept(third.running)).toEqual({});
});

test('answers are quick, and SIGTERM is obeyed, while very much is deleted', async () => {
	const first = await startWith();
	const { batch } = await first.client.run(taskID);
	await first.running.end();
	const database = databaseOf(first.running);
	const row = database.prepare(
		'INSERT INTO rows (batch_id, job, number, position, hash, content) VALUES (?, 9, ?, ?, ?, ?)',
	);
	database.exec('BEGIN');
	for (let number = 0; number < many; number += 1) {
		const content = 'x'.repeat(number < many / 100 ? 100_000 : 300);
		row.run(BigInt(batch.batchID), number, String(number), Buffer.from(String(number)), content);
	}
	database.exec('COMMIT');
	database.close();
	age(first.running, 2, [batch]);
	const running = await startProcessIn(first.running.folder);
	const client = cloudClient(running);
	let slowest = 0;
	for (let asked = 0; asked < requests; asked += 1) {
		const took = stopwatch(running.process.pid);
		await client.batches(taskID);
		slowest = Math.max(slowest, took());
	}
	expect(slowest).toBeLessThan(500);
	const took = stopwatch();
	running.process.kill('SIGTERM');
	await once(running.process, 'exit');
	expect(took()).toBeLessThan(5_000);
	expect(running.process.exitCode).toBe(0);
});
