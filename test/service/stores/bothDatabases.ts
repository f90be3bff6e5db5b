import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';

/** An empty database of a test. */
export interface Place {
	/** Opens it, as a service does at its start. */
	open(options?: { largeIdentifiers?: boolean }): Promise<Store>;
}

const log = pino({ level: 'silent' });

/** The same tests on SQLite and on a real PostgreSQL, each in a database of its own. */
export function describeOnBothDatabases(tests: (newPlace: () => Promise<Place>) => void): void {
	describe('SQLite', () => {
		const folders: string[] = [];
		afterAll(async () => {
			for (const folder of folders) await rm(folder, { recursive: true });
		});
		tests(async () => {
			const folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-store-'));
			folders.push(folder);
			return { open: (options) => openStore({ data: join(folder, 'a.db') }, { log, ...options }) };
		});
	});
	describeWithPostgres('PostgreSQL', () => {
		let postgres: Postgres;
		beforeAll(async () => {
			postgres = await startPostgres();
		});
		afterAll(() => postgres?.stop());
		tests(() => {
			const place = { data: '', database: postgres.newDatabase() };
			return Promise.resolve({ open: (options) => openStore(place, { log, ...options }) });
		});
	});
}
