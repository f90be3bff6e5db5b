import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { regions, status } from '../../../service/src/store/batch.ts';
import type { Ticket, Tickets } from '../../../service/src/store/machines.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { testAtLength } from '../../support/length';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { newBatch } from './newBatch';

describeWithPostgres('the tickets of a batch', () => {
	let postgres: Postgres;
	let database: string;
	let store: Store;
	let tickets: Tickets;
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres.stop());
	beforeEach(async () => {
		database = postgres.newDatabase();
		store = await open();
		if (!store.machines) throw new Error('There are no tickets.');
		tickets = store.machines.tickets;
	});
	afterEach(() => store.close());

	const open = () => openStore({ data: '', database }, { log: pino({ level: 'silent' }) });
	const take = () => tickets.take({ regions, pages: ['http', 'browser'] });
	const takeAll = async () => {
		const taken: Ticket[] = [];
		for (let one = await take(); one; one = await take()) taken.push(one);
		return taken.map(({ batchID }) => batchID);
	};
	/** Sets the clock of this process by so many milliseconds, as long as `work` takes. */
	const withClockSet = async (by: number, work: () => Promise<void>) => {
		const from = performance.now() + by;
		const begun = Date.now();
		const clock = vi.spyOn(performance, 'now').mockImplementation(() => from + Date.now() - begun);
		await work().finally(() => clock.mockRestore());
	};
	const run = (statement: string) => postgres.run([statement], new URL(database).pathname.slice(1));
	/** A batch of three jobs for two agents. */
	const create = () =>
		store.batches.create(
			newBatch({ nodeCount: 2, jobs: [0, 1, 2].map((first) => ({ first, end: first + 1 })) }),
		);

	test('are as many as it may have agents, and go with its end, those of others do not', async () => {
		const { id } = await create();
		const other = await create();
		expect((await take())?.batchID).toBe(id);
		await store.batches.end(id, status.stopped);
		expect(await takeAll()).toEqual([other.id, other.id]);
	});

	test('are put where they are not, once, however many processes begin', async () => {
		const { id } = await create();
		const other = await create();
		const key = String(id);
		run(`DELETE FROM cloud_scraping_queue.job WHERE singleton_key = '${key}'`);
		await Promise.all([tickets.begin(undefined), tickets.begin(undefined)]);
		expect((await takeAll()).sort()).toEqual([id, id, other.id, other.id]);
		await store.batches.end(id, status.stopped);
		// An error where there is one.
		run(
			`SELECT 1 / (count(*) = 0)::integer FROM cloud_scraping_queue.job WHERE singleton_key = '${key}'`,
		);
	});

	test('are handed out at once again where the clock of the database was set back by an hour', async () => {
		const { id } = await create();
		// Of the database it cannot be set: its times move on, and so does the clock by which they are compared.
		run("UPDATE cloud_scraping_queue.job SET start_after = now() + interval '1 hour'");
		expect(await take()).toBeUndefined();
		let taken: bigint[] = [];
		await withClockSet(3_600_000, async () => {
			const begun = Date.now();
			while (taken.length === 0 && Date.now() < begun + 8_000) {
				await sleep(100);
				taken = await takeAll();
			}
		});
		expect(taken).toEqual([id, id]);
	});

	testAtLength(
		'stay with a holder that may be alive where the clock of the database is set forward by an hour',
		async () => {
			const { id } = await create();
			const holder = await open();
			const kinds = { regions, pages: ['http'] };
			expect((await holder.machines?.tickets.take(kinds))?.batchID).toBe(id);
			// Nothing is heard of it from now on.
			await holder.close();
			await take();
			await sleep(6_000);
			run("UPDATE cloud_scraping_queue.job SET heartbeat_on = heartbeat_on - interval '1 hour'");
			await withClockSet(-3_600_000, async () => {
				await sleep(6_000);
				expect(await takeAll()).toEqual([]);
				await expect.poll(takeAll).toEqual([id]);
			});
		},
	);

	testAtLength('are put again where another program has taken them away meanwhile', async () => {
		await tickets.begin(undefined);
		const { id } = await create();
		run('DELETE FROM cloud_scraping_queue.job');
		let taken: bigint[] = [];
		while (taken.length === 0) {
			await sleep(500);
			taken = await takeAll();
		}
		expect(taken).toEqual([id, id]);
	});
});
