import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { numberIn, textIn } from './columns.ts';
import { transaction } from './database.ts';

/** A page that was given up. */
export interface FailedPage {
	job: number;
	/** Where in its job's steps that was. */
	position: string;
	/** What was worked on: an address, a text, an element, a round. */
	what: string;
	/** The address that failed, or the last one that was opened; empty before the first. */
	address: string;
	reason: string;
	tries: number;
	/** Milliseconds since 1970. */
	time: number;
}

/** Pages of a batch that are kept; the batch's `failedPages` counts those beyond, too. */
const mostKept = 1_000;

/** The pages that were given up. A place that fails again after a restart is kept and counted once. */
export class FailureStore {
	readonly #database: DatabaseSync;
	readonly #kept: StatementSync;
	readonly #insert: StatementSync;
	readonly #count: StatementSync;
	readonly #list: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
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

	add(batchID: bigint, { job, position, what, address, reason, tries, time }: FailedPage): void {
		transaction(this.#database, () => {
			const isFull = numberIn(this.#kept.get(batchID), 'kept') >= mostKept;
			const isNew =
				isFull ||
				this.#insert.run(batchID, job, position, what, address, reason, tries, time).changes > 0;
			if (isNew) this.#count.run(batchID);
		});
	}

	/** The failed pages of a batch that were kept, the earliest first. */
	of(batchID: bigint): FailedPage[] {
		return this.#list.all(batchID).map((columns) => ({
			job: numberIn(columns, 'job'),
			position: textIn(columns, 'position'),
			what: textIn(columns, 'what'),
			address: textIn(columns, 'address'),
			reason: textIn(columns, 'reason'),
			tries: numberIn(columns, 'tries'),
			time: numberIn(columns, 'time'),
		}));
	}
}
