import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { LeasedTurns } from '../../../service/src/agents/leasedTurns.ts';
import type { Slots } from '../../../service/src/store/machines.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';

describeWithPostgres('the slots of a host', () => {
	let postgres: Postgres;
	let database: string;
	const stores: Store[] = [];
	beforeAll(async () => {
		postgres = await startPostgres();
		database = postgres.newDatabase();
	});
	afterAll(async () => {
		await Promise.all(stores.map((store) => store.close()));
		await postgres?.stop();
	});

	/** As another process has them. */
	async function slots(): Promise<Slots> {
		const store = await openStore({ data: '', database }, { log: pino({ level: 'silent' }) });
		stores.push(store);
		if (!store.machines) throw new Error('There are no slots.');
		return store.machines.slots;
	}

	/** Of the database it cannot be set: its times move the other way. */
	const setClockForward = () =>
		postgres.run(
			[
				"UPDATE cloud_scraping.slots SET until = until - interval '1 hour', since = since - interval '1 hour'",
			],
			new URL(database).pathname.slice(1),
		);

	test('stay with their holder where the clock of the database is set forward, unless it is heard of no more', async () => {
		const [holder, other] = [await slots(), await slots()];
		const two = { limit: 2, wanted: 2, using: 0 };
		expect(await holder.lease('host', two)).toBe(2);
		setClockForward();
		expect(await other.lease('host', two)).toBe(0);
		expect(await holder.lease('host', { ...two, using: 2 })).toBeGreaterThan(0);
		setClockForward();
		expect(await other.lease('host', two)).toBe(0);
		setClockForward();
		expect(await other.lease('host', two)).toBe(2);
	});

	test('pass from one process to another as soon as that waits for them and the one has no use for them', async () => {
		const processes = [
			new LeasedTurns(await slots()),
			new LeasedTurns(await slots()),
			new LeasedTurns(await slots()),
		];
		const { signal } = new AbortController();
		let underWay = 0;
		const begun = performance.now();
		for (let round = 0; round < 4; round += 1) {
			const turns = processes.map((each) =>
				each.take({ key: 'shared', limit: 1, signal }, async () => {
					underWay += 1;
					expect(underWay).toBe(1);
					await sleep(10);
					underWay -= 1;
				}),
			);
			await Promise.all(turns);
		}
		// Twelve times, of which each would take five seconds until the one looks again by itself.
		expect(performance.now() - begun).toBeLessThan(25_000);
	}, 90_000);
});
