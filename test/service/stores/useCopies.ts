import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { runCommand } from '../../support/service/runCommand';
import { newBatch, numbers, rows } from './newBatch';

const log = pino({ level: 'silent' });
export const main = join(__dirname, '..', '..', '..', 'service', 'src', 'main.ts');

/** A file of SQLite that is not there yet, and an empty database of PostgreSQL to copy it to. */
class Copies {
	folder = '';
	file = '';
	database = '';
	postgres: Postgres | undefined;

	/** Another empty one, from which on `inDatabase` and `contents` are those of it. */
	readonly newDatabase = () => (this.database = this.#server.newDatabase());

	readonly inDatabase = (...statements: string[]) => this.#server.run(statements, this.#name);

	readonly contents = () => this.#server.dump(this.#name);

	readonly copy = (
		from = this.file,
		{
			address = this.database,
			program = [main],
			rest = [],
		}: { address?: string; program?: string[]; rest?: string[] } = {},
	) => {
		const settings = { SERVICE_DATABASE: address, SERVICE_TASKS: '' };
		return runCommand(['copy', '--from', from, ...rest], settings, program).ended;
	};

	/** Changes the file by hand. */
	readonly change = (sql: string) => {
		const opened = new DatabaseSync(this.file);
		opened.exec(sql);
		opened.close();
	};

	/** A file with a batch of so many rows. */
	readonly fileWith = async (count: number) => {
		const store = await openStore({ data: this.file }, { log });
		const { id } = await store.batches.create(newBatch());
		await store.rows.append(await store.jobs.claim(id, 0), rows(numbers(0, count)));
		await store.close();
		return id;
	};

	get #server(): Postgres {
		if (!this.postgres) throw new Error('PostgreSQL has not started.');
		return this.postgres;
	}

	get #name(): string {
		return new URL(this.database).pathname.slice(1);
	}
}

/** Those of each test of a suite. */
export function useCopies(): Copies {
	const copies = new Copies();
	beforeAll(async () => {
		copies.postgres = await startPostgres();
	});
	afterAll(() => copies.postgres?.stop());
	beforeEach(async () => {
		copies.folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-copy-'));
		copies.file = join(copies.folder, 'service.db');
		copies.newDatabase();
	});
	afterEach(() => rm(copies.folder, { recursive: true }));
	return copies;
}
