import type { DatabaseSync } from 'node:sqlite';
import { batchesQuery, countsFrom, jobsQuery, waitingBatchFrom } from '../backlog.ts';
import type { Backlog, BacklogCounts, WaitingBatch } from '../backlog.ts';
import { numberIn } from '../columns.ts';
import { promised } from './promised.ts';

export class SqliteBacklog implements Backlog {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	counts(): Promise<BacklogCounts> {
		return promised(() =>
			countsFrom(
				this.#database.prepare(batchesQuery).get(),
				this.#database.prepare(jobsQuery).get(),
			),
		);
	}

	waitingElsewhere(
		regions: readonly string[],
		most: number,
	): Promise<{ batches: WaitingBatch[]; count: number }> {
		const wanted = `status IN (1, 2) AND status = 1 AND region <> ''
			AND region NOT IN (SELECT value FROM json_each(?))`;
		const given = JSON.stringify(regions);
		return promised(() => {
			const list = this.#database.prepare(
				`SELECT * FROM batches WHERE ${wanted} ORDER BY creation LIMIT ?`,
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
