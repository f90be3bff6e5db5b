import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { numberIn } from './columns.ts';

/** A part of a run: items `first` (included) to `end` (excluded) of the list that was split. */
export interface Job {
	number: number;
	first: number;
	end: number;
}

/** How far a batch is; `items`: those of the list that its jobs share, 0 where there is none. */
export interface JobProgress {
	jobs: number;
	jobsDone: number;
	items: number;
	itemsDone: number;
}

/** Where each job of a batch stands. */
export class JobStore {
	readonly #database: DatabaseSync;
	readonly #advance: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#advance = database.prepare(
			'UPDATE jobs SET first_item = ? WHERE batch_id = ? AND number = ?',
		);
	}

	/** The jobs of a batch that are still to be done, in order. */
	unfinished(batchID: bigint): Job[] {
		return this.#database
			.prepare(
				'SELECT number, first_item, end_item FROM jobs WHERE batch_id = ? AND done = 0 ORDER BY number',
			)
			.all(batchID)
			.map((columns) => ({
				number: numberIn(columns, 'number'),
				first: numberIn(columns, 'first_item'),
				end: numberIn(columns, 'end_item'),
			}));
	}

	/** How many of a batch's jobs, and of the items of its list, are done. */
	progress(batchID: bigint): JobProgress {
		const columns = this.#database
			.prepare(
				`SELECT count(*) AS jobs, coalesce(sum(done), 0) AS jobs_done, coalesce(max(end_item), 0) AS items,
				coalesce(sum(CASE done WHEN 1 THEN 0 ELSE end_item - first_item END), 0) AS items_left
				FROM jobs WHERE batch_id = ?`,
			)
			.get(batchID);
		const items = numberIn(columns, 'items');
		return {
			jobs: numberIn(columns, 'jobs'),
			jobsDone: numberIn(columns, 'jobs_done'),
			items,
			itemsDone: items - numberIn(columns, 'items_left'),
		};
	}

	/** The item `next` is the first of its job that is still to be done. */
	advance(batchID: bigint, number: number, next: number): void {
		this.#advance.run(next, batchID, number);
	}

	markDone(batchID: bigint, number: number): void {
		this.#database
			.prepare('UPDATE jobs SET done = 1 WHERE batch_id = ? AND number = ?')
			.run(batchID, number);
	}
}
