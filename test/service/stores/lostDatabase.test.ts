import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { startWire } from '../../support/service/startWire';
import { newBatch } from './newBatch';

const log = pino({ level: 'silent' });
const open = (database: string) => openStore({ data: '', database }, { log });

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

	test('says whether a batch is stored where it is lost at that moment: who is told that it is not starts another one', async () => {
		const { hostname, port } = new URL(database);
		for (const isHeard of [true, false]) {
			const cut = () => {
				if (!isHeard) wire.cut();
				setImmediate(() => wire.mend());
			};
			let happens: (() => void) | undefined;
			// Others have transactions as well.
			let isAbout = false;
			const wire = await startWire(hostname, Number(port), (sent) => {
				isAbout ||= sent.includes('INSERT INTO batches');
				if (!isAbout || !sent.includes('COMMIT')) return;
				happens?.();
				happens = undefined;
			});
			const behind = new URL(database);
			behind.host = wire.host;
			const store = await open(behind.href);
			happens = cut;
			const taskID = `heard: ${isHeard}`;
			const creating = store.batches.create(newBatch({ taskID }));
			if (isHeard) expect(await creating).toMatchObject({ taskID });
			else await expect(creating).rejects.toMatchObject({ code: 'ERR_DATABASE_AWAY' });
			expect(happens).toBeUndefined();
			expect(await store.batches.count(taskID)).toBe(isHeard ? 1 : 0);
			await store.close();
			await wire.stop();
		}
	});

	test('that lets nobody in for a while is away, and what was to be written is written later', async () => {
		const name = new URL(database).pathname.slice(1);
		postgres.run([
			`CREATE ROLE owner LOGIN PASSWORD 'secret'`,
			`ALTER DATABASE ${name} OWNER TO owner`,
		]);
		const store = await open(database.replace(postgres.user, 'owner:secret'));
		postgres.run([
			'ALTER ROLE owner NOLOGIN',
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'owner'`,
		]);
		const { signal } = new AbortController();
		const write = () => store.apiKeys.make('key').catch((error: unknown) => error);
		let error = await write();
		// The first ones may still meet the connections that are gone.
		while (!String(error).includes('not permitted to log in')) error = await write();
		const isBack = store.database.isBack(error, signal);
		expect(await Promise.race([isBack, sleep(1_000)])).toBeUndefined();
		postgres.run(['ALTER ROLE owner LOGIN']);
		expect(await isBack).toBe(true);
		expect(typeof (await write())).toBe('string');
		await store.close();
	});
});
