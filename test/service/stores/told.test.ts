import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { pino } from 'pino';
import type { HostsElsewhere } from '../../../service/src/store/machines.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { newBatch } from './newBatch';

describeWithPostgres('what is told in a database', () => {
	let postgres: Postgres;
	let database: string;
	let stores: Store[] = [];
	/** A user who may do nothing but connect. */
	let stranger: pg.Client;
	const channels = ['hosts', 'slots', 'ends', 'stops'].map((name) => `cloud_scraping_${name}`);
	const news = { failures: 2, isSilent: false, addresses: ['127.0.0.1'], rest: 9_000 };

	beforeAll(async () => {
		postgres = await startPostgres();
		database = postgres.newDatabase();
		postgres.run(["CREATE ROLE stranger LOGIN PASSWORD 'x'"]);
		const address = new URL(database);
		[address.username, address.password] = ['stranger', 'x'];
		stranger = new pg.Client({ connectionString: address.href });
		await stranger.connect();
	});
	afterAll(async () => {
		await stranger?.end();
		await postgres?.stop();
	});
	beforeEach(async () => {
		const log = pino({ level: 'silent' });
		stores = [
			await openStore({ data: '', database }, { log }),
			await openStore({ data: '', database }, { log }),
		];
	});
	afterEach(() => Promise.all(stores.map((store) => store.close())));

	const tell = (channel: string, text: string) =>
		stranger.query('SELECT pg_notify($1, $2)', [channel, text]);

	/** The hosts as two processes know them; `told`: what the second one is told. */
	function hosts(): { own: HostsElsewhere; told: PassThrough } {
		const [own, other] = stores.map((store) => store.machines?.hosts);
		if (!own || !other) throw new Error('There are no hosts.');
		const told = new PassThrough({ objectMode: true });
		other.onTold((key, given) => told.write([key, given?.failures]));
		return { own, told };
	}

	test('of a host is what its table says', async () => {
		const { own, told } = hosts();
		await own.tell('shop.test', news);
		expect(await once(told, 'data')).toEqual([['shop.test', 2]]);
		// It flows since the first one was taken: what comes before somebody listens is gone.
		const next = once(told, 'data');
		await own.tell('shop.test', undefined);
		expect(await next).toEqual([['shop.test', undefined]]);
	});

	test('by who may only connect holds nobody up', async () => {
		const { own, told } = hosts();
		const { id } = (await stores[0]?.batches.create(newBatch())) ?? {};
		if (id === undefined) throw new Error('There is no batch.');
		const texts = [
			'x',
			'{',
			'null',
			'[]',
			`${id}`,
			'wanted  ',
			'given a b',
			`a ${'b'.repeat(7_000)}`,
		];
		for (const channel of channels) for (const text of texts) await tell(channel, text);
		const json = JSON.stringify({ process: 'a', key: 'shop.test', news });
		for (const text of [json, 'a shop.test']) await tell('cloud_scraping_hosts', text);
		await own.tell('other.test', news);
		const heard: unknown[] = [];
		for await (const each of told) {
			heard.push(each);
			if (String(each).startsWith('other.test')) break;
		}
		expect(heard).toContainEqual(['other.test', 2]);
		expect(heard).not.toContainEqual(['shop.test', 2]);
		expect(await stores[1]?.batches.get(id)).toMatchObject({ status: 1 });
	});
});
