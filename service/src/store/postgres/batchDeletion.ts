import { bigintIn, type Columns } from '../columns.ts';
import { tablesOfBatch, type BatchDeletion } from '../retention.ts';
import { now, type Connections } from './connections.ts';

export class PostgresBatchDeletion implements BatchDeletion {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async endedBefore(milliseconds: number): Promise<bigint[]> {
		const found = await this.#database.query(
			`SELECT id FROM batches WHERE status IN (3, 4) AND end_time < ${now} - $1::bigint ORDER BY creation`,
			milliseconds,
		);
		return idsOf(found);
	}

	deleteBatch(id: bigint): Promise<void> {
		return this.#database.transaction(async (query) => {
			await query('DELETE FROM batches WHERE id = $1', id);
			for (const table of tablesOfBatch)
				await query(`DELETE FROM ${table} WHERE batch_id = $1`, id);
		});
	}

	deleteAllBatches(): Promise<void> {
		return this.#database.transaction(async (query) => {
			for (const table of ['batches', ...tablesOfBatch]) await query(`DELETE FROM ${table}`);
		});
	}

	async leftOver(): Promise<bigint[]> {
		// Each batch has a first job.
		const found = await this.#database.query(
			`SELECT batch_id AS id FROM jobs
			WHERE number = 0 AND NOT EXISTS (SELECT FROM batches WHERE batches.id = batch_id)`,
		);
		return idsOf(found);
	}

	async deleteRows(id: bigint, most: number): Promise<number> {
		const deleted = await this.#database.query(
			`DELETE FROM rows WHERE ctid = ANY (ARRAY(
				SELECT ctid FROM rows WHERE batch_id = $1 ORDER BY job, number LIMIT $2
			)) RETURNING job`,
			id,
			most,
		);
		return deleted.length;
	}

	async deleteJobs(id: bigint): Promise<boolean> {
		const { query } = this.#database;
		const left = await query('SELECT job FROM rows WHERE batch_id = $1 LIMIT 1', id);
		if (left.length > 0) return false;
		await query('DELETE FROM jobs WHERE batch_id = $1', id);
		return true;
	}
}

function idsOf(found: Columns[]): bigint[] {
	return found.map((columns) => bigintIn(columns, 'id'));
}
