import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { jobFrom, progressFrom, progressQuery } from '../jobStore.ts';
import type { Job, JobProgress, JobStore } from '../jobStore.ts';
import { promised } from './promised.ts';

export class SqliteJobStore implements JobStore {
	readonly #database: DatabaseSync;
	readonly #advance: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#advance = database.prepare(
			'UPDATE jobs SET first_item = ? WHERE batch_id = ? AND number = ?',
		);
	}

	unfinished(batchID: bigint): Promise<Job[]> {
		return promised(() =>
			this.#database
				.prepare(
					'SELECT number, first_item, end_item FROM jobs WHERE batch_id = ? AND done = 0 ORDER BY number',
				)
				.all(batchID)
				.map(jobFrom),
		);
	}

	progress(batchID: bigint): Promise<JobProgress> {
		return promised(() =>
			progressFrom(this.#database.prepare(`${progressQuery} WHERE batch_id = ?`).get(batchID)),
		);
	}

	advance(batchID: bigint, number: number, next: number): Promise<void> {
		return promised(() => {
			this.#advance.run(next, batchID, number);
		});
	}

	markDone(batchID: bigint, number: number): Promise<void> {
		return promised(() => {
			this.#database
				.prepare('UPDATE jobs SET done = 1 WHERE batch_id = ? AND number = ?')
				.run(batchID, number);
		});
	}
}
