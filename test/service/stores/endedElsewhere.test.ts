import { testAtLength } from '../../support/length';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { status } from '../../../service/src/store/batch.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { runScript } from '../../support/service/startService';
import { startSite } from '../../support/service/startSite';
import { step, task } from '../../support/service/taskFiles';
import { newBatch } from './newBatch';

describeWithPostgres('a batch that another process ends', () => {
	let postgres: Postgres;
	let database: string;
	let store: Store;
	/** What the store says, a line at a time. */
	let said: PassThrough;
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());
	beforeEach(async () => {
		database = postgres.newDatabase();
		said = new PassThrough();
		store = await open(pino(said));
	});
	afterEach(() => store.close());

	const open = (log = pino({ level: 'silent' })) => openStore({ data: '', database }, { log });

	testAtLength('is heard of, also by one that had lost the database', async () => {
		const other = await open();
		const heard = new PassThrough({ objectMode: true });
		store.database.onEnd((batchID) => heard.write(batchID));
		const first = await other.batches.create(newBatch());
		await other.batches.end(first.id, status.stopped);
		expect(await once(heard, 'data')).toEqual([first.id]);
		await other.close();

		const name = new URL(database).pathname.slice(1);
		postgres.run([
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
		]);
		for await (const line of said) if (String(line).includes('database is back')) break;
		const next = await open();
		const second = await next.batches.create(newBatch());
		// It flows since the first one was taken: what comes before somebody listens is gone.
		const told = once(heard, 'data');
		await next.batches.end(second.id, status.stopped);
		expect(await told).toEqual([second.id]);
		await next.close();
	});

	test('has its agents called off, in the middle of a page', async () => {
		const asked = Promise.withResolvers<undefined>();
		const site = await startSite(async ({ closed }) => {
			asked.resolve(undefined);
			await closed;
			return '';
		});
		const started = task('waits', [step('navigate', { url: site.baseUrl })]);
		const { id } = await store.batches.create(newBatch({ task: JSON.stringify(started) }));
		const script = `
			import { pino } from 'pino';
			import { openScraping } from './runs/scraping.ts';
			import { openStore } from './store/openStore.ts';
			const left = Promise.withResolvers();
			const said = [];
			const log = pino({}, { write(line) {
				said.push(JSON.parse(line).msg);
				if (line.includes('left')) left.resolve();
			} });
			const store = await openStore({ data: '', database: process.argv[1] }, { log });
			const scraping = openScraping(store, { browser: undefined, agents: 1, log, onStoreFailure() {} });
			await scraping.dispatcher.takeOver();
			scraping.dispatcher.begin('http://site.example');
			await left.promise;
			await scraping.close();
			await store.close();
			console.log(said.join('\\n'));`;
		const agents = runScript(script, database);
		await Promise.race([asked.promise, agents]);
		await store.batches.end(id, status.stopped);
		expect((await agents).trim().split('\n')).toEqual([
			'batch running',
			'batch ended elsewhere, left',
		]);
		await site.stop();
	});
});
