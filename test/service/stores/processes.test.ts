import { testAtLength } from '../../support/length';
import { pino } from 'pino';
import { Presence } from '../../../service/src/runs/presence.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import type { ProcessReport } from '../../../service/src/store/processStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { describeOnBothDatabases } from './bothDatabases';
import { newBatch } from './newBatch';

const report = (values: Partial<ProcessReport> = {}): ProcessReport => ({
	id: 'one',
	name: 'host (1)',
	kind: 'agents',
	version: '1.0.0',
	regions: ['us', 'gb'],
	agents: 4,
	busyAgents: 1,
	proxied: [],
	memory: 5_000_000_000,
	upTime: 60_000,
	...values,
});

describeOnBothDatabases((kept) => {
	test('a process is known by what it has said last, since its start, until it leaves', async () => {
		const { processes } = kept.store;
		expect(await processes.list()).toEqual([]);
		await processes.report(report());
		const [first] = await processes.list();
		const { upTime: _, ...said } = report();
		expect(first).toMatchObject({ ...said, isSilent: false });
		expect((first?.lastReport ?? 0) - (first?.startTime ?? 0)).toBeCloseTo(60_000, -2);
		await processes.report(report({ busyAgents: 3, memory: 1, upTime: 0 }));
		const [next, ...others] = await processes.list();
		expect(others).toEqual([]);
		expect(next).toMatchObject({ busyAgents: 3, memory: 1, startTime: first?.startTime });
		await processes.leave('one');
		expect(await processes.list()).toEqual([]);
	});

	test('what is to be done is counted: batches that wait and run, and their jobs', async () => {
		const { backlog, batches } = kept.store;
		const noBatch = { waiting: 0, running: 0, waitingSince: undefined };
		expect(await backlog.batchCounts()).toEqual(noBatch);
		expect(await backlog.jobCounts()).toEqual({ open: 0, done: 0 });
		const jobs = [0, 1, 2].map((first) => ({ first, end: first + 1 }));
		const waiting = await kept.create();
		const [running, ended] = [await kept.create({ jobs }), await kept.create({ jobs })];
		await kept.create();
		for (const { id } of [running, ended]) {
			await batches.markRunning(id);
			await kept.markDone(id, 0);
		}
		await batches.end(ended.id, 3);
		const waitingSince = waiting.createTime;
		expect(await backlog.batchCounts()).toEqual({ waiting: 2, running: 1, waitingSince });
		expect(await backlog.jobCounts()).toEqual({ open: 4, done: 1 });
	});

	test('batches that wait for another region, or were begun there, are found, the oldest first', async () => {
		const { backlog, batches } = kept.store;
		const jp = await kept.create({ region: 'jp' });
		const hk = await kept.create({ region: 'hk' });
		const running = await kept.create({ region: 'hk' });
		await batches.markRunning(running.id);
		for (const region of ['us', '']) await kept.create({ region });
		const found = async (...regions: string[]) => {
			const { batches, count } = await backlog.waitingElsewhere(regions, 1);
			return { ids: batches.map(({ id }) => id), count };
		};
		expect(await found('us')).toEqual({ ids: [jp.id], count: 3 });
		expect(await found('us', 'jp')).toEqual({ ids: [hk.id], count: 2 });
		expect(await found('us', 'jp', 'hk')).toEqual({ ids: [], count: 0 });
		expect((await found()).count).toBe(4);
		const { batches: all } = await backlog.waitingElsewhere(['us'], 9);
		const { taskID } = newBatch();
		expect(all[0]).toEqual({ id: jp.id, taskID, region: 'jp', createTime: jp.createTime });
	});
});

test('on SQLite, too, who has said nothing for 30 seconds is silent', async () => {
	const log = pino({ level: 'silent' });
	const store = await openStore({ data: ':memory:' }, { log });
	vi.useFakeTimers({ toFake: ['Date'] });
	await store.processes.report(report());
	const isSilent = async () => (await store.processes.list()).map((each) => each.isSilent);
	vi.setSystemTime(Date.now() + 30_000);
	expect(await isSilent()).toEqual([false]);
	vi.setSystemTime(Date.now() + 1);
	expect(await isSilent()).toEqual([true]);
	vi.useRealTimers();
	await store.close();
});

describeWithPostgres('processes on one PostgreSQL', () => {
	const log = pino({ level: 'silent' });
	let postgres: Postgres;
	let store: Store;
	let database: string;
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());
	beforeEach(async () => {
		const address = postgres.newDatabase();
		database = new URL(address).pathname.slice(1);
		store = await openStore({ data: '', database: address }, { log });
	});
	afterEach(async () => {
		vi.useRealTimers();
		await store.close();
	});

	/** Has a process been silent for so many seconds, by the clock of the database. */
	const silence = (id: string, seconds: number) =>
		postgres.run(
			[
				`UPDATE cloud_scraping.processes SET last_report = now() - ${seconds} * interval '1 second' WHERE id = '${id}'`,
			],
			database,
		);
	const known = async () =>
		(await store.processes.list()).map(({ id, isSilent }) => (isSilent ? `${id}?` : id));

	testAtLength(
		'are silent after 30 seconds, and forgotten after a day, or when their name is back',
		async () => {
			for (const id of ['a', 'b', 'c']) await store.processes.report(report({ id, name: id }));
			silence('a', 25);
			silence('b', 31);
			silence('c', 86_401);
			expect(await known()).toEqual(['a', 'b?']);
			await store.processes.report(report({ id: 'd', name: 'b' }));
			expect(await known()).toEqual(['a', 'd']);
		},
	);

	const join = (kind: 'api' | 'agents', busyAgents: () => number) =>
		new Presence(
			store.processes,
			{ kind, regions: ['us'], proxied: [], agents: 4 },
			{ busyAgents, log },
		);

	test('go on where they cannot say what they are at the moment, as for want of open files', async () => {
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
		const short = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
			throw new Error('EMFILE: too many open files');
		});
		const api = join('api', () => 0);
		await api.begin();
		expect(await known()).toEqual([]);
		vi.advanceTimersByTime(10_000);
		short.mockRestore();
		await vi.waitFor(async () => {
			vi.advanceTimersByTime(10_000);
			expect(await known()).toHaveLength(1);
		});
		await api.close();
	});

	test('report themselves at their start and every ten seconds, and leave at their end', async () => {
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
		let busy = 0;
		const [api, agents] = [join('api', () => 0), join('agents', () => busy)];
		await Promise.all([api.begin(), agents.begin()]);
		const seen = async () =>
			(await api.list()).map(({ kind, busyAgents }) => `${kind} ${busyAgents}`).toSorted();
		expect(await seen()).toEqual(['agents 0', 'api 0']);
		busy = 3;
		expect(await seen()).toEqual(['agents 0', 'api 0']);
		expect((await agents.list()).map(({ busyAgents }) => busyAgents).toSorted()).toEqual([0, 3]);
		vi.advanceTimersByTime(10_000);
		await vi.waitFor(async () => expect(await seen()).toEqual(['agents 3', 'api 0']));
		await agents.close();
		expect(await seen()).toEqual(['api 0']);
		await api.close();
		expect(await known()).toEqual([]);
	});

	testAtLength(
		'that cannot reach it do not fail for that, and report themselves when it is back',
		async () => {
			vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
			await postgres.crash();
			const one = join('api', () => 0);
			await one.begin();
			await postgres.begin();
			await vi.waitFor(async () => {
				vi.advanceTimersByTime(10_000);
				expect(await one.list()).toMatchObject([{ kind: 'api', isSilent: false }]);
			});
			await one.close();
		},
	);
});
