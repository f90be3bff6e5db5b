import { PassedOn, type Claim } from '../claim.ts';
import { numberIn } from '../columns.ts';
import { failureFrom, maxFailuresKept } from '../failureStore.ts';
import type { FailedPage, FailureStore } from '../failureStore.ts';
import type { Connections } from './connections.ts';

export class PostgresFailureStore implements FailureStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async add(claim: Claim, page: Omit<FailedPage, 'job'>): Promise<void> {
		const { batchID, job, number } = claim;
		const { position, what, address, reason, tries, time } = page;
		await this.#database.transaction(async (query) => {
			// One after the other for a batch: they are counted.
			await query('SELECT FROM batches WHERE id = $1 FOR NO KEY UPDATE', batchID);
			const claimed = await query(
				'SELECT FROM jobs WHERE batch_id = $1 AND number = $2 AND claim = $3 FOR NO KEY UPDATE',
				batchID,
				job,
				number,
			);
			if (claimed.length === 0) throw new PassedOn(claim);
			const [columns] = await query(
				'SELECT count(*) AS kept FROM failed_pages WHERE batch_id = $1',
				batchID,
			);
			const isFull = numberIn(columns, 'kept') >= maxFailuresKept;
			const isNew =
				isFull ||
				(
					await query(
						`INSERT INTO failed_pages (batch_id, job, position, what, address, reason, tries, time)
						VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING job`,
						batchID,
						job,
						position,
						what,
						address,
						reason,
						tries,
						time,
					)
				).length > 0;
			if (!isNew) return;
			await query('UPDATE batches SET failed_pages = failed_pages + 1 WHERE id = $1', batchID);
		});
	}

	async of(batchID: bigint): Promise<FailedPage[]> {
		const found = await this.#database.query(
			`SELECT job, position, what, address, reason, tries, time FROM failed_pages
			WHERE batch_id = $1 ORDER BY time, job, position`,
			batchID,
		);
		return found.map(failureFrom);
	}
}
