import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { lineFrom, type LogLines, type NewestLines, type WaitingLine } from '../batchLogStore.ts';
import { bigintIn, numberIn } from '../columns.ts';
import { transaction } from './database.ts';
import { promised } from './promised.ts';

export class SqliteLogLines implements LogLines {
	readonly #database: DatabaseSync;
	readonly #newest: StatementSync;
	readonly #insert: StatementSync;
	readonly #trim: StatementSync;
	readonly #list: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#newest = database.prepare(
			'SELECT coalesce(max(number), 0) AS number FROM batch_log WHERE batch_id = ?',
		);
		this.#insert = database.prepare(
			// Of a batch that is deleted, what its agents have said last is deleted as well.
			`INSERT INTO batch_log (batch_id, number, time, level, message, details)
			SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM batches WHERE id = ?1)`,
		);
		this.#trim = database.prepare('DELETE FROM batch_log WHERE batch_id = ? AND number <= ?');
		this.#list = database.prepare(
			'SELECT * FROM batch_log WHERE batch_id = ? ORDER BY number DESC LIMIT ?',
		);
		this.#list.setReadBigInts(true);
	}

	add(lines: WaitingLine[], maxKept: number): Promise<void> {
		return promised(() => transaction(this.#database, () => this.#store(lines, maxKept)));
	}

	newest(batchID: bigint, count: number): Promise<NewestLines> {
		return promised(() => {
			const columns = this.#list.all(batchID, count);
			const [last] = columns;
			const written = last ? Number(bigintIn(last, 'number')) : 0;
			return {
				lines: columns.map(lineFrom),
				dropped: written - columns.length,
			};
		});
	}

	#store(lines: WaitingLine[], maxKept: number): void {
		const numbers = new Map<bigint, number>();
		for (const { batchID, line } of lines) {
			const number = 1 + (numbers.get(batchID) ?? numberIn(this.#newest.get(batchID), 'number'));
			numbers.set(batchID, number);
			const { time, level, message, details } = line;
			this.#insert.run(batchID, number, time, level, message, details);
		}
		for (const [batchID, number] of numbers) this.#trim.run(batchID, number - maxKept);
	}
}
