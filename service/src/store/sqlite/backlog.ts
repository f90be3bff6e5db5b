import type { DatabaseSync } from 'node:sqlite';
import {
	batchCountsFrom,
	batchesQuery,
	jobCountsFrom,
	jobsQuery,
	waitingBatchFrom,
} from '../backlog.ts';
import type { Backlog, BatchCounts, JobCounts, WaitingBatch } from '../backlog.ts';
import { numberIn } from '../columns.ts';
import { promised } from './promised.ts';

export class SqliteBacklog implements Backlog {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	batchCounts(): Promise<BatchCounts> {
		return promised(() => batchCountsFrom(this.#database.prepare(batchesQuery).get()));
	}

	jobCounts(): Promise<JobCounts> {
		return promised(() => jobCountsFrom(this.#database.prepare(jobsQuery).get()));
	}

	waitingElsewhere(
		regions: readonly string[],
		most: number,
	): Promise<{ batches: WaitingBatch[]; count: number }> {
		const wanted = `status IN (1, 2) AND region <> ''
			AND region NOT IN (SELECT value FROM json_each(?))`;
		const given = JSON.stringify(regions);
		return promised(() => {
			const list = this.#database.prepare(
				`SELECT * FROM batches WHERE ${wanted} ORDER BY create_time, id LIMIT ?`,
			);
			list.setReadBigInts(true);
			const all = this.#database
				.prepare(`SELECT count(*) AS count FROM batches WHERE ${wanted}`)
				.get(given);
			return {
				batches: list.all(given, most).map(waitingBatchFrom),
				count: numberIn(all, 'count'),
			};
		});
	}
}
