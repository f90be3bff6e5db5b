import { PassedOn, type Claim } from '../claim.ts';
import { numberIn } from '../columns.ts';
import { jobFrom, progressFrom, progressQuery } from '../jobStore.ts';
import type { Job, JobProgress, JobStore } from '../jobStore.ts';
import type { Connections } from './connections.ts';

export class PostgresJobStore implements JobStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async unfinished(batchID: bigint): Promise<Job[]> {
		const found = await this.#database.query(
			'SELECT number, first_item, end_item, sent FROM jobs WHERE batch_id = $1 AND done = 0 ORDER BY number',
			batchID,
		);
		return found.map(jobFrom);
	}

	async progress(batchID: bigint): Promise<JobProgress> {
		const [columns] = await this.#database.query(`${progressQuery} WHERE batch_id = $1`, batchID);
		return progressFrom(columns);
	}

	async claim(batchID: bigint, job: number): Promise<Claim> {
		const [columns] = await this.#database.query(
			`UPDATE jobs SET claim = claim + 1 WHERE batch_id = $1 AND number = $2 AND done = 0
			AND EXISTS (SELECT FROM batches WHERE id = $1 AND status IN (1, 2)) RETURNING claim`,
			batchID,
			job,
		);
		if (!columns) throw new PassedOn({ batchID, job });
		return { batchID, job, number: numberIn(columns, 'claim') };
	}

	advance(claim: Claim, next: number): Promise<void> {
		return this.#change(claim, 'first_item = $4', next);
	}

	noteSent(claim: Claim, next: number, sent: string): Promise<void> {
		return this.#change(claim, 'first_item = $4, sent = $5', next, sent);
	}

	markDone(claim: Claim): Promise<void> {
		return this.#change(claim, 'done = $4', 1);
	}

	async #change(claim: Claim, change: string, ...values: (number | string)[]): Promise<void> {
		const changed = await this.#database.query(
			`UPDATE jobs SET ${change} WHERE batch_id = $1 AND number = $2 AND claim = $3 RETURNING number`,
			claim.batchID,
			claim.job,
			claim.number,
			...values,
		);
		if (changed.length === 0) throw new PassedOn(claim);
	}
}
