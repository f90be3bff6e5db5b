import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { bigintIn } from '../columns.ts';
import { tablesOfBatch, type BatchDeletion } from '../retention.ts';
import { transaction } from './database.ts';
import { promised } from './promised.ts';

export class SqliteBatchDeletion implements BatchDeletion {
	readonly #database: DatabaseSync;
	readonly #ended: StatementSync;
	readonly #leftOver: StatementSync;
	readonly #rows: StatementSync;
	readonly #batch: StatementSync[];
	readonly #jobs: StatementSync;
	readonly #anyRow: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#ended = database.prepare(
			'SELECT id FROM batches WHERE status IN (3, 4) AND end_time < ? ORDER BY creation',
		);
		this.#leftOver = database.prepare(
			'SELECT DISTINCT batch_id AS id FROM jobs WHERE batch_id NOT IN (SELECT id FROM batches)',
		);
		for (const statement of [this.#ended, this.#leftOver]) statement.setReadBigInts(true);
		this.#rows = database.prepare(
			`DELETE FROM rows WHERE batch_id = ?1 AND (job, number) IN
			(SELECT job, number FROM rows WHERE batch_id = ?1 ORDER BY job, number LIMIT ?2)`,
		);
		this.#batch = [
			...tablesOfBatch.map((table) => `DELETE FROM ${table} WHERE batch_id = ?`),
			'DELETE FROM batches WHERE id = ?',
		].map((sql) => database.prepare(sql));
		this.#jobs = database.prepare('DELETE FROM jobs WHERE batch_id = ?');
		this.#anyRow = database.prepare('SELECT job FROM rows WHERE batch_id = ? LIMIT 1');
	}

	endedBefore(milliseconds: number): Promise<bigint[]> {
		return promised(() => idsOf(this.#ended.all(Date.now() - milliseconds)));
	}

	deleteBatch(id: bigint): Promise<void> {
		return promised(() =>
			transaction(this.#database, () => this.#batch.forEach((statement) => statement.run(id))),
		);
	}

	deleteAllBatches(): Promise<void> {
		return promised(() =>
			transaction(this.#database, () => {
				for (const table of [...tablesOfBatch, 'batches']) {
					this.#database.exec(`DELETE FROM ${table}`);
				}
			}),
		);
	}

	leftOver(): Promise<bigint[]> {
		return promised(() => idsOf(this.#leftOver.all()));
	}

	deleteRows(id: bigint, most: number): Promise<number> {
		return promised(() => Number(this.#rows.run(id, most).changes));
	}

	deleteJobs(id: bigint): Promise<boolean> {
		return promised(() => {
			if (this.#anyRow.get(id)) return false;
			this.#jobs.run(id);
			return true;
		});
	}
}

function idsOf(rows: ReturnType<StatementSync['all']>): bigint[] {
	return rows.map((columns) => bigintIn(columns, 'id'));
}
