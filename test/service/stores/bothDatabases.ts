import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Batch } from '../../../service/src/store/batch.ts';
import type { NewBatch } from '../../../service/src/store/batchStore.ts';
import { openStore, type StorePlace } from '../../../service/src/store/openStore.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import type { NewRow } from '../../../service/src/store/rowStore.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { newBatch } from './newBatch';

/** What a test has open: a database of its own, empty at first. */
export interface Kept {
	store: Store;
	/** Closes it and opens it anew, as the next start of a service does. */
	restart(options?: { largeIdentifiers?: boolean }): Promise<void>;
	/** Has so many milliseconds pass by the clock that counts; those below 0 set it back. */
	pass(milliseconds: number): void;
	create(values?: Partial<NewBatch>): Promise<Batch>;
	/** What an agent does who claims a job for it. */
	append(id: bigint, job: number, rows: NewRow[]): Promise<number>;
	markDone(id: bigint, job: number): Promise<void>;
}

const log = pino({ level: 'silent' });

/** What is compared with the clock of the database: as that cannot be set, it moves into the past. */
const times = {
	batches: ['create_time', 'start_time', 'end_time'],
	deduplications: ['last_use'],
	console_sessions: ['end_time'],
};

/** The same tests on SQLite and on a real PostgreSQL. */
export function describeOnBothDatabases(tests: (kept: Kept) => void): void {
	describe('SQLite', () => {
		let folder: string;
		beforeAll(async () => {
			folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-store-'));
		});
		afterAll(() => rm(folder, { recursive: true }));
		let files = 0;
		const newPlace = () => ({ data: join(folder, `${(files += 1)}.db`) });
		tests(
			keptIn(newPlace, (milliseconds) => {
				if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
				if (milliseconds > 0) vi.advanceTimersByTime(milliseconds);
				else vi.setSystemTime(Date.now() + milliseconds);
			}),
		);
	});
	describeWithPostgres('PostgreSQL', () => {
		let postgres: Postgres | undefined;
		beforeAll(async () => {
			postgres = await startPostgres();
		});
		afterAll(() => postgres?.stop());
		const newPlace = () => ({ data: '', database: postgres?.newDatabase() });
		tests(
			keptIn(newPlace, (milliseconds, { database = '' }) => {
				const statements = Object.entries(times).map(
					([table, columns]) =>
						`UPDATE cloud_scraping.${table} SET ${columns.map((name) => `${name} = ${name} - ${milliseconds}`).join()}`,
				);
				postgres?.run(statements, new URL(database).pathname.slice(1));
			}),
		);
	});
}

function keptIn(
	newPlace: () => StorePlace,
	pass: (milliseconds: number, place: StorePlace) => void,
): Kept {
	let place: StorePlace;
	let store: Store;
	beforeEach(async () => {
		place = newPlace();
		store = await openStore(place, { log });
	});
	afterEach(async () => {
		vi.useRealTimers();
		await store.close();
	});
	return {
		get store() {
			return store;
		},
		async restart(options) {
			await store.close();
			store = await openStore(place, { log, ...options });
		},
		pass: (milliseconds) => pass(milliseconds, place),
		create: (values) => store.batches.create(newBatch(values)),
		append: async (id, job, rows) => store.rows.append(await store.jobs.claim(id, job), rows),
		markDone: async (id, job) => store.jobs.markDone(await store.jobs.claim(id, job)),
	};
}
