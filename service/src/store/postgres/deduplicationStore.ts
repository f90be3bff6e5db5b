import { bytesIn, bigintIn } from '../columns.ts';
import type { ReturnedRows } from '../deduplicationStore.ts';
import { now, type Connections } from './connections.ts';

export class PostgresReturnedRows implements ReturnedRows {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	/**
	 * Whoever else uses the id waits for its row: so no hash is new to two. What has been remembered and was not told
	 * would never be sent: where the end of that is not heard, it is asked for.
	 */
	async remember(id: string, hashes: Uint8Array[]): Promise<Uint8Array[]> {
		const fresh = await this.#database.query(
			`WITH used AS (
				INSERT INTO deduplications (id, last_use) VALUES ($1, ${now})
				ON CONFLICT (id) DO UPDATE SET last_use = excluded.last_use RETURNING memory
			)
			INSERT INTO returned_rows (memory, hash) SELECT memory, hash FROM used, unnest($2::bytea[]) AS hash
			ON CONFLICT DO NOTHING RETURNING hash`,
			id,
			hashes,
		);
		return fresh.map((columns) => bytesIn(columns, 'hash'));
	}

	async dropUnused(milliseconds?: number): Promise<void> {
		await this.#database.query(
			`DELETE FROM deduplications WHERE $1::bigint IS NULL OR last_use < ${now} - $1`,
			milliseconds ?? null,
		);
	}

	async forgetSome(most: number): Promise<boolean> {
		// One step through the index for each memory, however much is in it.
		const [lost] = await this.#database.query(
			`WITH RECURSIVE memories (memory) AS (
				SELECT min(memory) FROM returned_rows
				UNION ALL
				SELECT (SELECT min(memory) FROM returned_rows WHERE memory > memories.memory) FROM memories WHERE memory IS NOT NULL
			)
			SELECT memory FROM memories WHERE memory IS NOT NULL AND memory NOT IN (SELECT memory FROM deduplications) LIMIT 1`,
		);
		if (!lost) return false;
		await this.#database.query(
			`DELETE FROM returned_rows WHERE memory = $1 AND hash IN
			(SELECT hash FROM returned_rows WHERE memory = $1 LIMIT $2)`,
			bigintIn(lost, 'memory'),
			most,
		);
		return true;
	}
}
