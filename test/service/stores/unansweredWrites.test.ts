import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import { UnansweredWrites, writes } from '../../../service/src/store/postgres/unansweredWrites.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { newBatch } from './newBatch';

describe('writes without an answer', () => {
	let now = 0;
	let unanswered: UnansweredWrites;
	const write = (answer: PromiseWithResolvers<void>) => {
		void unanswered
			.watch(
				() => answer.promise,
				(error) => error === late,
			)
			.catch(() => undefined);
	};
	const late = new Error('no answer');
	const settled = () => sleep(0);
	beforeEach(() => {
		now = 0;
		unanswered = new UnansweredWrites(() => now);
	});

	test('are too many when one has waited for longer than a frozen process keeps what it has locked', async () => {
		const answer = Promise.withResolvers<void>();
		write(answer);
		now = 11_000;
		expect(unanswered.areTooMany).toBe(false);
		now = 13_000;
		expect(unanswered.areTooMany).toBe(true);
		answer.resolve();
		await settled();
		expect(unanswered.areTooMany).toBe(false);
	});

	test('stay too many from when one is given up until the next one has waited as long, or is answered', async () => {
		const [first, second, third] = [0, 1, 2].map(() => Promise.withResolvers<void>());
		write(first);
		now = 60_000;
		first.reject(late);
		await settled();
		now = 70_000;
		write(second);
		for (now = 70_000; now < 130_000; now += 1_000) expect(unanswered.areTooMany).toBe(true);
		second.reject(late);
		await settled();
		now += 500;
		write(third);
		third.resolve();
		await settled();
		expect(unanswered.areTooMany).toBe(false);
	});

	test('are too many no more when nobody tries again', async () => {
		const answer = Promise.withResolvers<void>();
		write(answer);
		now = 60_000;
		answer.reject(late);
		await settled();
		now = 90_000;
		expect(unanswered.areTooMany).toBe(false);
	});

	test('are those that change something', () => {
		const changing = [
			'INSERT INTO rows',
			'\n\tWITH next AS (SELECT id) UPDATE job SET',
			'SELECT append_rows($1)',
		];
		const reading = ['SELECT number FROM rows', 'WITH RECURSIVE tasks (task_id) AS', 'SHOW x'];
		expect(changing.map(writes)).toEqual([true, true, true]);
		expect(reading.map(writes)).toEqual([false, false, false]);
	});
});

describeWithPostgres('a PostgreSQL that waits for a standby that is gone', () => {
	let postgres: Postgres;
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());

	test('is not ready for as long as writes do not come through, and the log says so', async () => {
		const said = new PassThrough();
		const store = await openStore(
			{ data: '', database: postgres.newDatabase() },
			{ log: pino(said) },
		);
		const logged = async (message: string) => {
			for await (const line of said.iterator({ destroyOnReturn: false }))
				if (String(line).includes(`"msg":"${message}"`)) return;
		};
		expect(await store.whyNotReady()).toBeUndefined();
		postgres.run([
			"ALTER SYSTEM SET synchronous_standby_names = 'gone'",
			'SELECT pg_reload_conf()',
		]);
		const created = store.batches.create(newBatch());
		await logged('database does not confirm what is written');
		expect(await store.whyNotReady()).toContain('synchronous_standby_names');
		postgres.run(['ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()']);
		await created;
		expect(await store.whyNotReady()).toBeUndefined();
		await logged('database confirms what is written');
		await store.close();
	});
});
