import {
	batchCountsFrom,
	batchesQuery,
	jobCountsFrom,
	jobsQuery,
	waitingBatchFrom,
} from '../backlog.ts';
import type { Backlog, BatchCounts, JobCounts, WaitingBatch } from '../backlog.ts';
import { numberIn } from '../columns.ts';
import type { Connections } from './connections.ts';

export class PostgresBacklog implements Backlog {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async batchCounts(): Promise<BatchCounts> {
		const [columns] = await this.#database.query(batchesQuery);
		return batchCountsFrom(columns);
	}

	async jobCounts(): Promise<JobCounts> {
		const [columns] = await this.#database.query(jobsQuery);
		return jobCountsFrom(columns);
	}

	async waitingElsewhere(
		regions: readonly string[],
		most: number,
	): Promise<{ batches: WaitingBatch[]; count: number }> {
		const { query } = this.#database;
		const wanted = `status IN (1, 2) AND region <> '' AND region <> ALL ($1::text[])`;
		const found = await query(
			`SELECT id, task_id, region, create_time FROM batches WHERE ${wanted} ORDER BY create_time, id LIMIT $2`,
			[...regions],
			most,
		);
		const [all] = await query(`SELECT count(*) AS count FROM batches WHERE ${wanted}`, [
			...regions,
		]);
		return { batches: found.map(waitingBatchFrom), count: numberIn(all, 'count') };
	}
}
