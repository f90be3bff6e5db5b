import type { DatabaseSync } from 'node:sqlite';
import { numberIn } from './columns.ts';

/** A part of a run: items `first` (included) to `end` (excluded) of the list that was split. */
export interface Job {
	number: number;
	first: number;
	end: number;
}

/** Where each job of a batch stands. */
export class JobStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
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

	/** The item `next` is the first of its job that is still to be done. */
	advance(batchID: bigint, number: number, next: number): void {
		this.#database
			.prepare('UPDATE jobs SET first_item = ? WHERE batch_id = ? AND number = ?')
			.run(next, batchID, number);
	}

	markDone(batchID: bigint, number: number): void {
		this.#database
			.prepare('UPDATE jobs SET done = 1 WHERE batch_id = ? AND number = ?')
			.run(batchID, number);
	}
}
