import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { status, type Batch } from './batch.ts';
import { numberIn, textIn } from './columns.ts';
import { transaction } from './database.ts';

/** A scraped row: `content` is its JSON object, `position` the place in its job where it was scraped. */
export interface NewRow {
	position: string;
	content: string;
}

/**
 * The rows of all batches. They are read in the order of their jobs, and a row never changes its
 * place: while a batch runs, the rows behind its first unfinished job are held back.
 */
export class RowStore {
	readonly #database: DatabaseSync;
	readonly #insert: StatementSync;
	readonly #isKnown: StatementSync;
	readonly #numberAt: StatementSync;
	readonly #countInJob: StatementSync;
	readonly #countInBatch: StatementSync;
	readonly #rowCount: StatementSync;
	readonly #jobs: StatementSync;
	readonly #read: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#insert = database.prepare(
			'INSERT OR IGNORE INTO rows (batch_id, job, number, position, hash, content) VALUES (?, ?, ?, ?, ?, ?)',
		);
		this.#isKnown = database.prepare('SELECT 1 FROM rows WHERE batch_id = ? AND hash = ? LIMIT 1');
		this.#numberAt = database.prepare(
			'SELECT number FROM rows WHERE batch_id = ? AND job = ? AND position = ?',
		);
		this.#countInJob = database.prepare(
			'UPDATE jobs SET row_count = ? WHERE batch_id = ? AND number = ?',
		);
		this.#countInBatch = database.prepare(
			'UPDATE batches SET line_count = line_count + ?, duplicated_count = duplicated_count + ?, update_time = ? WHERE id = ?',
		);
		this.#rowCount = database.prepare(
			'SELECT row_count FROM jobs WHERE batch_id = ? AND number = ?',
		);
		this.#jobs = database.prepare(
			'SELECT number, done, row_count FROM jobs WHERE batch_id = ? ORDER BY number',
		);
		this.#read = database.prepare(
			'SELECT content FROM rows WHERE batch_id = ? AND job = ? AND number >= ? AND number < ? ORDER BY number',
		);
	}

	/**
	 * Stores rows behind those of their job; a position that the job has a row for is left as it is.
	 * Returns the highest number that one of them has in its job, duplicates of the batch left out; -1
	 * if there is none.
	 */
	append(batchID: bigint, job: number, rows: NewRow[]): number {
		if (rows.length === 0) return -1;
		return transaction(this.#database, () => {
			let highest = -1;
			const before = numberIn(this.#rowCount.get(batchID, job), 'row_count');
			let number = before;
			let duplicates = 0;
			for (const { position, content } of rows) {
				const hash = hashOf(content);
				const known = this.#isKnown.get(batchID, hash) !== undefined;
				const { changes } = this.#insert.run(batchID, job, number, position, hash, content);
				if (changes === 0) {
					const there = this.#numberAt.get(batchID, job, position);
					highest = Math.max(highest, numberIn(there, 'number'));
					continue;
				}
				if (known) duplicates += 1;
				else highest = number;
				number += 1;
			}
			this.#countInJob.run(number, batchID, job);
			this.#countInBatch.run(number - before, duplicates, Date.now(), batchID);
			return highest;
		});
	}

	/** How many rows of a batch can be read now. */
	count(batch: Batch): number {
		return this.#readableJobs(batch).reduce((sum, { rowCount }) => sum + rowCount, 0);
	}

	/** The rows `offset` to `offset + size` of a batch as JSON, one after the other: they may be large. */
	*read(batch: Batch, window: { offset: number; size: number }): Generator<string> {
		let jobStart = 0;
		for (const { number, rowCount } of this.#readableJobs(batch)) {
			const from = Math.max(window.offset - jobStart, 0);
			const to = Math.min(window.offset + window.size - jobStart, rowCount);
			if (from < to) {
				for (const columns of this.#read.iterate(batch.id, number, from, to)) {
					yield textIn(columns, 'content');
				}
			}
			jobStart += rowCount;
		}
	}

	#readableJobs(batch: Batch): { number: number; rowCount: number }[] {
		const jobs = this.#jobs.all(batch.id).map((columns) => ({
			number: numberIn(columns, 'number'),
			done: numberIn(columns, 'done') === 1,
			rowCount: numberIn(columns, 'row_count'),
		}));
		const firstUnfinished = jobs.findIndex(({ done }) => !done);
		const ended = batch.status === status.successful || batch.status === status.stopped;
		return ended || firstUnfinished === -1 ? jobs : jobs.slice(0, firstUnfinished + 1);
	}
}

/**
 * Equal for rows whose field values are all equal (section 4.4): rows have their fields in one order,
 * so equal values make equal JSON.
 */
export function hashOf(content: string): Uint8Array {
	return hash('sha256', content, 'buffer');
}
