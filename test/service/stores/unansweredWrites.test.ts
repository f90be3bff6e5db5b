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
	/** What is written to try whether there is an answer again. */
	let tries: PromiseWithResolvers<void>[] = [];
	const late = new Error('no answer');
	const log = pino({ level: 'silent' });
	const write = (answer: PromiseWithResolvers<void>) => unanswered.watch(() => answer.promise);
	beforeEach(() => {
		now = 0;
		tries = [];
		const tryOne = () => {
			const answer = Promise.withResolvers<void>();
			tries.push(answer);
			return write(answer);
		};
		unanswered = new UnansweredWrites({ tryOne, isGivenUp: (error) => error === late }, () => now);
	});

	test('are there when one waits for longer than a frozen process keeps what it has locked', async () => {
		const answer = Promise.withResolvers<void>();
		const written = write(answer);
		now = 11_000;
		expect(unanswered.areThere).toBe(false);
		now = 13_000;
		expect(unanswered.areThere).toBe(true);
		answer.resolve();
		await written;
		expect(unanswered.areThere).toBe(false);
	});

	test('are there from when one is given up until another one is answered that changes something', async () => {
		const answer = Promise.withResolvers<void>();
		const written = write(answer);
		now = 60_000;
		answer.reject(late);
		await expect(written).rejects.toThrow(late);
		await unanswered.watch(() => Promise.resolve('nothing to change'));
		unanswered.look(log);
		expect(unanswered.areThere).toBe(true);
		now = 120_000;
		tries[0]?.reject(late);
		await sleep(0);
		unanswered.look(log);
		unanswered.look(log);
		expect(tries).toHaveLength(2);
		expect(unanswered.areThere).toBe(true);
		tries[1]?.resolve();
		await sleep(0);
		expect(unanswered.areThere).toBe(false);
	});

	test('are not there where a write is refused', async () => {
		await expect(unanswered.watch(() => Promise.reject(new Error('refused')))).rejects.toThrow(
			'refused',
		);
		expect(unanswered.areThere).toBe(false);
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
		await logged('database confirms what is written');
		expect(await store.whyNotReady()).toBeUndefined();
		await store.close();
	});
});
