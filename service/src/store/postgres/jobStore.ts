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
			'SELECT number, first_item, end_item FROM jobs WHERE batch_id = $1 AND done = 0 ORDER BY number',
			batchID,
		);
		return found.map(jobFrom);
	}

	async progress(batchID: bigint): Promise<JobProgress> {
		const [columns] = await this.#database.query(`${progressQuery} WHERE batch_id = $1`, batchID);
		return progressFrom(columns);
	}

	async advance(batchID: bigint, number: number, next: number): Promise<void> {
		await this.#database.query(
			'UPDATE jobs SET first_item = $3 WHERE batch_id = $1 AND number = $2',
			batchID,
			number,
			next,
		);
	}

	async markDone(batchID: bigint, number: number): Promise<void> {
		await this.#database.query(
			'UPDATE jobs SET done = 1 WHERE batch_id = $1 AND number = $2',
			batchID,
			number,
		);
	}
}
