import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { status } from '../../../service/src/store/batch.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { describeOnBothDatabases } from './bothDatabases';
import { newBatch, numbers, rows, window } from './newBatch';

describeOnBothDatabases((kept) => {
	test('rows that are read while their batch is deleted are in their place, or missing from some place on', async () => {
		const jobs = numbers(0, 2).map((job) => ({ first: job, end: job + 1 }));
		const { id } = await kept.create({ jobs });
		for (const job of [0, 1])
			await kept.append(id, job, rows(numbers(job * 1_000, job * 1_000 + 1_000)));
		const batch = await kept.store.batches.end(id, status.successful);
		if (!batch) throw new Error('It had ended.');
		const all = await kept.store.rows.read(batch, { offset: 0, size: 2_000 });
		expect(all).toHaveLength(2_000);
		await kept.store.retention.delete(id);
		const { signal } = new AbortController();
		let isOver = false;
		const deleting = kept.store.retention.deleteLeftOver(signal).finally(() => (isOver = true));
		const found: number[] = [];
		while (!isOver) {
			const read = await kept.store.rows.read(batch, { offset: 500, size: 1_000 });
			expect(read).toEqual(all.slice(500, 500 + read.length));
			found.push(read.length);
			await sleep(1);
		}
		await deleting;
		expect(found[0]).toBe(1_000);
		expect(found.at(-1)).toBe(0);
	});

	test('what is said of a batch that is deleted meanwhile is not kept', async () => {
		const { id } = await kept.create();
		const other = await kept.create();
		await kept.store.batches.end(id, status.stopped);
		const line = { time: 1, level: 'info', message: 'page opened', details: '{}' };
		for (const batchID of [id, other.id]) kept.store.logs.add(batchID, line);
		await kept.store.retention.delete(id);
		await kept.store.logs.flush();
		expect((await kept.store.logs.newest(id, 10)).lines).toEqual([]);
		expect((await kept.store.logs.newest(other.id, 10)).lines).toEqual([line]);
	});

	test('retention deletes what ended before a time, with all that belongs to it, and nothing else', async () => {
		const [old, waiting] = [
			await kept.create({ start: { jobCount: 1, actionParams: '' } }),
			await kept.create(),
		];
		await kept.append(old.id, 0, rows(numbers(0, 450)));
		await kept.store.batches.end(old.id, status.successful);
		kept.pass(3_600_000);
		const recent = await kept.create();
		await kept.append(recent.id, 0, rows(['stays']));
		await kept.store.batches.end(recent.id, status.stopped);
		const { signal } = new AbortController();
		expect(await kept.store.retention.deleteBefore(1_800_000, signal)).toBe(1);
		expect(await kept.store.batches.find(old.id)).toBeUndefined();
		expect(await kept.store.batches.startOf(old.id)).toBeUndefined();
		await kept.restart();
		expect(await kept.store.retention.deleteLeftOver(signal)).toBe(1);
		expect(await kept.store.retention.deleteLeftOver(signal)).toBe(0);
		expect(await kept.store.rows.read({ ...old, status: status.successful }, window)).toEqual([]);
		expect(await kept.store.jobs.unfinished(waiting.id)).toHaveLength(1);
		expect(await kept.store.rows.read(await kept.store.batches.get(recent.id), window)).toEqual([
			'{"a":"stays"}',
		]);
	});
});

describeWithPostgres('PostgreSQL, where several delete at once', () => {
	let postgres: Postgres;
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());

	test('a deleted batch is known by its jobs as long as it has rows', async () => {
		const database = postgres.newDatabase();
		const store = await openStore({ data: '', database }, { log: pino({ level: 'silent' }) });
		const { id } = await store.batches.create(newBatch());
		await store.rows.append(await store.jobs.claim(id, 0), rows(numbers(0, 6_000)));
		await store.batches.end(id, status.successful);
		await store.retention.delete(id);
		const end = new AbortController();
		const all = numbers(0, 4).map(() => store.retention.deleteLeftOver(end.signal));
		const client = new pg.Client({ connectionString: database });
		await client.connect();
		const left = async () => {
			const { rows } = await client.query<{ jobs: boolean; rows: boolean }>(
				`SELECT EXISTS (SELECT FROM cloud_scraping.jobs) AS jobs, EXISTS (SELECT FROM cloud_scraping.rows) AS rows`,
			);
			return rows[0];
		};
		const seen: unknown[] = [];
		for (let now = await left(); now?.rows; now = await left()) seen.push(now.jobs);
		await Promise.all(all);
		expect(seen.length).toBeGreaterThan(0);
		expect(seen).not.toContain(false);
		expect(await left()).toEqual({ jobs: false, rows: false });
		await client.end();
		await store.close();
	});
});
