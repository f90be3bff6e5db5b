import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { numberIn } from '../columns.ts';
import type { ReturnedRows } from '../deduplicationStore.ts';
import { transaction } from './database.ts';
import { promised } from './promised.ts';

/** Milliseconds by which a clock is set at least: it drifts by less between two looks. */
const least = 1_000;

export class SqliteReturnedRows implements ReturnedRows {
	readonly #database: DatabaseSync;
	readonly #use: StatementSync;
	readonly #dropUnused: StatementSync;
	readonly #remember: StatementSync;
	readonly #lost: StatementSync;
	readonly #forget: StatementSync;
	readonly #setUses: StatementSync;
	/** How far the clock is ahead of the time that this process has run, which nobody sets. */
	#ahead = Date.now() - performance.now();

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#use = database.prepare(
			`INSERT INTO deduplications (id, memory, last_use)
			VALUES (?, (SELECT 1 + max(coalesce((SELECT max(memory) FROM deduplications), 0), coalesce((SELECT max(memory) FROM returned_rows), 0))), ?)
			ON CONFLICT (id) DO UPDATE SET last_use = excluded.last_use RETURNING memory`,
		);
		this.#dropUnused = database.prepare('DELETE FROM deduplications WHERE last_use < ?');
		this.#setUses = database.prepare('UPDATE deduplications SET last_use = last_use + ?');
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
			(SELECT hash FROM returned_rows WHERE memory = ?1 LIMIT ?2)`,
		);
	}

	remember(id: string, hashes: Uint8Array[]): Promise<Uint8Array[]> {
		return promised(() =>
			transaction(this.#database, () => {
				const memory = numberIn(this.#use.get(id, Date.now()), 'memory');
				return hashes.filter((hash) => this.#remember.run(memory, hash).changes === 1);
			}),
		);
	}

	dropUnused(milliseconds?: number): Promise<void> {
		return promised(() => {
			this.#followClock();
			this.#dropUnused.run(
				milliseconds === undefined ? Number.MAX_SAFE_INTEGER : Date.now() - milliseconds,
			);
		});
	}

	/** Where the clock was set, the times of what is remembered are set with it: no hour has passed by that. */
	#followClock(): void {
		const ahead = Date.now() - performance.now();
		const set = Math.round(ahead - this.#ahead);
		if (Math.abs(set) < least) return;
		this.#setUses.run(set);
		this.#ahead = ahead;
	}

	forgetSome(most: number): Promise<boolean> {
		return promised(() => {
			const lost = this.#lost.get();
			if (!lost) return false;
			this.#forget.run(numberIn(lost, 'memory'), most);
			return true;
		});
	}
}
