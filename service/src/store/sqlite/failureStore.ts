import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { PassedOn, type Claim } from '../claim.ts';
import { numberIn } from '../columns.ts';
import { failureFrom, maxFailuresKept } from '../failureStore.ts';
import type { FailedPage, FailureStore } from '../failureStore.ts';
import { transaction } from './database.ts';
import { promised } from './promised.ts';

export class SqliteFailureStore implements FailureStore {
	readonly #database: DatabaseSync;
	readonly #claimed: StatementSync;
	readonly #kept: StatementSync;
	readonly #insert: StatementSync;
	readonly #count: StatementSync;
	readonly #list: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#claimed = database.prepare(
			'SELECT 1 FROM jobs WHERE batch_id = ? AND number = ? AND claim = ?',
		);
		this.#kept = database.prepare('SELECT count(*) AS kept FROM failed_pages WHERE batch_id = ?');
		this.#insert = database.prepare(
			`INSERT OR IGNORE INTO failed_pages (batch_id, job, position, what, address, reason, tries, time)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		);
		this.#count = database.prepare(
			'UPDATE batches SET failed_pages = failed_pages + 1 WHERE id = ?',
		);
		this.#list = database.prepare(
			'SELECT job, position, what, address, reason, tries, time FROM failed_pages WHERE batch_id = ? ORDER BY time',
		);
	}

	add(claim: Claim, page: Omit<FailedPage, 'job'>): Promise<void> {
		const { batchID, job, number } = claim;
		const { position, what, address, reason, tries, time } = page;
		return promised(() =>
			transaction(this.#database, () => {
				if (!this.#claimed.get(batchID, job, number)) throw new PassedOn(claim);
				const isFull = numberIn(this.#kept.get(batchID), 'kept') >= maxFailuresKept;
				const isNew =
					isFull ||
					this.#insert.run(batchID, job, position, what, address, reason, tries, time).changes > 0;
				if (isNew) this.#count.run(batchID);
			}),
		);
	}

	of(batchID: bigint): Promise<FailedPage[]> {
		return promised(() => this.#list.all(batchID).map(failureFrom));
	}
}
