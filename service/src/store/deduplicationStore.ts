import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { numberIn } from './columns.ts';
import { transaction } from './database.ts';

/** A deduplicationID expires this long after the last request that used it (section 8). */
const lifetime = 60 * 60 * 1000;

/** Hashes that are deleted at once: some milliseconds, after which others have a turn. */
const hashesAtOnce = 2_000;
/** Milliseconds for the others. */
const pause = 5;

/**
 * Which rows were returned already, for each deduplicationID (section 4.4). One that has expired loses its
 * memory at once; what was in there goes bit by bit.
 */
export class DeduplicationStore {
	readonly #database: DatabaseSync;
	readonly #use: StatementSync;
	readonly #dropExpired: StatementSync;
	readonly #remember: StatementSync;
	readonly #lost: StatementSync;
	readonly #forget: StatementSync;
	readonly #end = new AbortController();
	#forgetting: Promise<void> | undefined;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#use = database.prepare(
			`INSERT INTO deduplications (id, memory, last_use)
			VALUES (?, (SELECT 1 + max(coalesce((SELECT max(memory) FROM deduplications), 0), coalesce((SELECT max(memory) FROM returned_rows), 0))), ?)
			ON CONFLICT (id) DO UPDATE SET last_use = excluded.last_use RETURNING memory`,
		);
		this.#dropExpired = database.prepare('DELETE FROM deduplications WHERE last_use < ?');
		this.#remember = database.prepare(
			'INSERT OR IGNORE INTO returned_rows (memory, hash) VALUES (?, ?)',
		);
		// One step through the index for each memory, however much is in it.
		this.#lost = database.prepare(
			`WITH RECURSIVE memories (memory) AS (
				SELECT min(memory) FROM returned_rows
				UNION ALL
				SELECT (SELECT min(memory) FROM returned_rows WHERE memory > memories.memory) FROM memories WHERE memory IS NOT NULL
			)
			SELECT memory FROM memories WHERE memory IS NOT NULL AND memory NOT IN (SELECT memory FROM deduplications) LIMIT 1`,
		);
		this.#forget = database.prepare(
			`DELETE FROM returned_rows WHERE memory = ?1 AND hash IN
			(SELECT hash FROM returned_rows WHERE memory = ?1 LIMIT ${hashesAtOnce})`,
		);
	}

	/** Those of some rows, by their hashes, that no request with this id has returned before; they are remembered. */
	newOf<Row extends { hash: Uint8Array }>(id: string, rows: Row[]): Row[] {
		const found = transaction(this.#database, () => {
			const now = Date.now();
			this.#dropExpired.run(now - lifetime);
			const memory = numberIn(this.#use.get(id, now), 'memory');
			return rows.filter(({ hash }) => this.#remember.run(memory, hash).changes === 1);
		});
		// What cannot be deleted now is, after a later request.
		this.#forgetting ??= this.#forgetLost()
			.catch(() => undefined)
			.finally(() => (this.#forgetting = undefined));
		return found;
	}

	/** Ends the forgetting; the next start goes on with it. */
	async close(): Promise<void> {
		this.#end.abort();
		await this.#forgetting;
	}

	async #forgetLost(): Promise<void> {
		const { signal } = this.#end;
		for (;;) {
			await sleep(pause, undefined, { signal, ref: false });
			const lost = this.#lost.get();
			if (!lost) return;
			this.#forget.run(numberIn(lost, 'memory'));
		}
	}
}
