import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { transaction } from './database.ts';
import { hashOf } from './rowStore.ts';

/** A deduplicationID expires this long after the last request that used it (section 8). */
const lifetime = 60 * 60 * 1000;

/** Which rows were returned already, for each deduplicationID (section 4.4). */
export class DeduplicationStore {
	readonly #database: DatabaseSync;
	readonly #use: StatementSync;
	readonly #dropExpired: StatementSync;
	readonly #remember: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#use = database.prepare(
			'INSERT INTO deduplications (id, last_use) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET last_use = excluded.last_use',
		);
		this.#dropExpired = database.prepare('DELETE FROM deduplications WHERE last_use < ?');
		this.#remember = database.prepare(
			'INSERT OR IGNORE INTO returned_rows (deduplication_id, hash) VALUES (?, ?)',
		);
	}

	/**
	 * Runs `work` with a test for rows that no request with this id has returned before, and remembers
	 * those that pass it; none of them if `work` throws.
	 */
	remembering<Result>(id: string, work: (isNew: (row: string) => boolean) => Result): Result {
		return transaction(this.#database, () => {
			const now = Date.now();
			this.#dropExpired.run(now - lifetime);
			this.#use.run(id, now);
			return work((row) => this.#remember.run(id, hashOf(row)).changes === 1);
		});
	}
}
