import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { PassedOn, type Claim } from '../claim.ts';
import { numberIn } from '../columns.ts';
import { jobFrom, progressFrom, progressQuery } from '../jobStore.ts';
import type { Job, JobProgress, JobStore } from '../jobStore.ts';
import { promised } from './promised.ts';

export class SqliteJobStore implements JobStore {
	readonly #database: DatabaseSync;
	readonly #advance: StatementSync;
	readonly #noteSent: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#advance = database.prepare(
			'UPDATE jobs SET first_item = ? WHERE batch_id = ? AND number = ? AND claim = ?',
		);
		this.#noteSent = database.prepare(
			'UPDATE jobs SET first_item = ?, sent = ? WHERE batch_id = ? AND number = ? AND claim = ?',
		);
	}

	unfinished(batchID: bigint): Promise<Job[]> {
		return promised(() =>
			this.#database
				.prepare(
					'SELECT number, first_item, end_item, sent FROM jobs WHERE batch_id = ? AND done = 0 ORDER BY number',
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

	claim(batchID: bigint, job: number): Promise<Claim> {
		return promised(() => {
			const columns = this.#database
				.prepare(
					`UPDATE jobs SET claim = claim + 1 WHERE batch_id = ?1 AND number = ?2 AND done = 0
					AND EXISTS (SELECT 1 FROM batches WHERE id = ?1 AND status IN (1, 2)) RETURNING claim`,
				)
				.get(batchID, job);
			if (!columns) throw new PassedOn({ batchID, job });
			return { batchID, job, number: numberIn(columns, 'claim') };
		});
	}

	advance(claim: Claim, next: number): Promise<void> {
		return promised(() => {
			const { batchID, job, number } = claim;
			const { changes } = this.#advance.run(next, batchID, job, number);
			if (changes === 0) throw new PassedOn(claim);
		});
	}

	noteSent(claim: Claim, next: number, sent: string): Promise<void> {
		return promised(() => {
			const { batchID, job, number } = claim;
			const { changes } = this.#noteSent.run(next, sent, batchID, job, number);
			if (changes === 0) throw new PassedOn(claim);
		});
	}

	markDone(claim: Claim): Promise<void> {
		return promised(() => {
			const { batchID, job, number } = claim;
			const { changes } = this.#database
				.prepare('UPDATE jobs SET done = 1 WHERE batch_id = ? AND number = ? AND claim = ?')
				.run(batchID, job, number);
			if (changes === 0) throw new PassedOn(claim);
		});
	}
}
