import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Batch } from '../batch.ts';
import { PassedOn, type Claim } from '../claim.ts';
import { numberIn, textIn } from '../columns.ts';
import { hashOf, jobRowsFrom, partsOf, readableJobs, sliceLength } from '../rowStore.ts';
import type { JobRows, NewRow, RowStore, RowWindow } from '../rowStore.ts';
import { transaction } from './database.ts';
import { promised } from './promised.ts';

export class SqliteRowStore implements RowStore {
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
			'UPDATE jobs SET row_count = ?, first_item = coalesce(?, first_item) WHERE batch_id = ? AND number = ?',
		);
		this.#countInBatch = database.prepare(
			'UPDATE batches SET line_count = line_count + ?, duplicated_count = duplicated_count + ?, update_time = ? WHERE id = ? AND status IN (1, 2)',
		);
		this.#rowCount = database.prepare(
			'SELECT row_count FROM jobs WHERE batch_id = ? AND number = ? AND claim = ?',
		);
		this.#jobs = database.prepare(
			'SELECT number, done, row_count FROM jobs WHERE batch_id = ? ORDER BY number',
		);
		this.#read = database.prepare(
			'SELECT number, content FROM rows WHERE batch_id = ? AND job = ? AND number >= ? AND number < ? ORDER BY number',
		);
	}

	append(claim: Claim, rows: NewRow[], firstItem?: number): Promise<number> {
		return promised(() => {
			if (rows.length === 0) return -1;
			return transaction(this.#database, () => this.#append(claim, rows, firstItem));
		});
	}

	count(batch: Batch): Promise<number> {
		return promised(() =>
			this.#readableJobs(batch).reduce((sum, { rowCount }) => sum + rowCount, 0),
		);
	}

	read(batch: Batch, window: RowWindow, maxCharacters = sliceLength): Promise<string[]> {
		return promised(() => {
			const rows: string[] = [];
			let characters = 0;
			for (const { job, from, to } of partsOf(window, this.#readableJobs(batch))) {
				let next = from;
				for (const columns of this.#read.iterate(batch.id, job, from, to)) {
					if (numberIn(columns, 'number') !== next) return rows;
					next += 1;
					const content = textIn(columns, 'content');
					rows.push(content);
					characters += content.length;
					if (characters >= maxCharacters) return rows;
				}
				if (next < to) return rows;
			}
			return rows;
		});
	}

	#append(claim: Claim, rows: NewRow[], firstItem?: number): number {
		const { batchID, job } = claim;
		let highest = -1;
		const columns = this.#rowCount.get(batchID, job, claim.number);
		if (!columns) throw new PassedOn(claim);
		const before = numberIn(columns, 'row_count');
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
		this.#countInJob.run(number, firstItem ?? null, batchID, job);
		const added = number - before;
		const { changes } = this.#countInBatch.run(added, duplicates, Date.now(), batchID);
		if (changes === 0) throw new PassedOn(claim);
		return highest;
	}

	#readableJobs(batch: Batch): JobRows[] {
		return readableJobs(batch, this.#jobs.all(batch.id).map(jobRowsFrom));
	}
}
