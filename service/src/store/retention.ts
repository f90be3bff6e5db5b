import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { bigintIn } from './columns.ts';
import { transaction } from './database.ts';

/** Rows that are deleted at once: some milliseconds, after which others have a turn. */
const rowsAtOnce = 200;
/** Milliseconds for the others. */
const pause = 5;

/**
 * Deletes ended batches and all that belongs to them. A batch goes first, so that nobody reads half of
 * one, and its jobs last: where those are left over, after a crash, the rest is deleted later.
 */
export class Retention {
	readonly #database: DatabaseSync;
	readonly #expired: StatementSync;
	readonly #leftOver: StatementSync;
	readonly #rows: StatementSync;
	readonly #batch: StatementSync[];
	readonly #jobs: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#expired = database.prepare(
			'SELECT id FROM batches WHERE status IN (3, 4) AND end_time < ? ORDER BY creation',
		);
		this.#leftOver = database.prepare(
			'SELECT DISTINCT batch_id AS id FROM jobs WHERE batch_id NOT IN (SELECT id FROM batches)',
		);
		for (const statement of [this.#expired, this.#leftOver]) statement.setReadBigInts(true);
		this.#rows = database.prepare(
			`DELETE FROM rows WHERE batch_id = ?1 AND (job, number) IN
			(SELECT job, number FROM rows WHERE batch_id = ?1 ORDER BY job, number LIMIT ?2)`,
		);
		this.#batch = [
			'failed_pages',
			'selectors',
			'batch_log',
			'started_tasks',
			'starts',
			'batches',
		].map((table) =>
			database.prepare(`DELETE FROM ${table} WHERE ${table === 'batches' ? 'id' : 'batch_id'} = ?`),
		);
		this.#jobs = database.prepare('DELETE FROM jobs WHERE batch_id = ?');
	}

	/**
	 * Deletes the batches that ended before this time (milliseconds since 1970), until `signal` is aborted.
	 * Resolves to how many there were.
	 */
	async deleteBefore(time: number, signal: AbortSignal): Promise<number> {
		const expired = idsOf(this.#expired.all(time));
		let deleted = 0;
		for (const id of expired) {
			if (signal.aborted) break;
			this.delete(id);
			deleted += 1;
			await othersTurn(signal);
		}
		return deleted;
	}

	/** Deletes an ended batch; what it leaves over is for `deleteLeftOver`. */
	delete(id: bigint): void {
		transaction(this.#database, () => this.#batch.forEach((statement) => statement.run(id)));
	}

	/**
	 * Deletes the rows of batches that are gone, bit by bit, until `signal` is aborted. Resolves to how many
	 * batches they were of.
	 */
	async deleteLeftOver(signal: AbortSignal): Promise<number> {
		const gone = idsOf(this.#leftOver.all());
		for (const id of gone) await this.#deleteRows(id, signal);
		return gone.length;
	}

	async #deleteRows(id: bigint, signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			const { changes } = this.#rows.run(id, rowsAtOnce);
			if (changes === 0) {
				this.#jobs.run(id);
				return;
			}
			await othersTurn(signal);
		}
	}
}

function idsOf(rows: ReturnType<StatementSync['all']>): bigint[] {
	return rows.map((columns) => bigintIn(columns, 'id'));
}

async function othersTurn(signal: AbortSignal): Promise<void> {
	await sleep(pause, undefined, { signal }).catch(() => undefined);
}
