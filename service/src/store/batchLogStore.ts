import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { bigintIn, numberIn, textIn } from './columns.ts';
import { transaction } from './database.ts';

/** A line of the log about a batch. */
export interface LogLine {
	/** Milliseconds since 1970. */
	time: number;
	level: string;
	message: string;
	/** What the line says besides, as a JSON object. */
	details: string;
}

/** Lines of a batch that are kept: the newest. */
const mostKept = 1_000;

/** Milliseconds for which lines wait, to be stored together. */
const delay = 200;

/** What the log says of each batch. Lines of the last moment before a crash are lost. */
export class BatchLogStore {
	readonly #database: DatabaseSync;
	readonly #onError: (error: unknown) => void;
	readonly #newest: StatementSync;
	readonly #insert: StatementSync;
	readonly #trim: StatementSync;
	readonly #list: StatementSync;
	#waiting: { batchID: bigint; line: LogLine }[] = [];
	#timer: NodeJS.Timeout | undefined;

	/** `onError` is told when waiting lines cannot be stored. */
	constructor(database: DatabaseSync, onError: (error: unknown) => void) {
		this.#database = database;
		this.#onError = onError;
		this.#newest = database.prepare(
			'SELECT coalesce(max(number), 0) AS number FROM batch_log WHERE batch_id = ?',
		);
		this.#insert = database.prepare(
			'INSERT INTO batch_log (batch_id, number, time, level, message, details) VALUES (?, ?, ?, ?, ?, ?)',
		);
		this.#trim = database.prepare('DELETE FROM batch_log WHERE batch_id = ? AND number <= ?');
		this.#list = database.prepare(
			'SELECT * FROM batch_log WHERE batch_id = ? ORDER BY number DESC LIMIT ?',
		);
		this.#list.setReadBigInts(true);
	}

	add(batchID: bigint, line: LogLine): void {
		this.#waiting.push({ batchID, line });
		this.#timer ??= setTimeout(() => this.flush(), delay).unref();
	}

	/** The newest lines of a batch, the newest first; `dropped`: how many older ones are not kept. */
	newest(batchID: bigint, count: number): { lines: LogLine[]; dropped: number } {
		this.flush();
		const columns = this.#list.all(batchID, count);
		const [last] = columns;
		const written = last ? Number(bigintIn(last, 'number')) : 0;
		return {
			lines: columns.map((each) => ({
				time: numberIn(each, 'time'),
				level: textIn(each, 'level'),
				message: textIn(each, 'message'),
				details: textIn(each, 'details'),
			})),
			dropped: written - columns.length,
		};
	}

	/** Stores what waits. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const waiting = this.#waiting;
		this.#waiting = [];
		if (waiting.length === 0) return;
		try {
			transaction(this.#database, () => this.#store(waiting));
		} catch (error) {
			this.#onError(error);
		}
	}

	#store(waiting: { batchID: bigint; line: LogLine }[]): void {
		const numbers = new Map<bigint, number>();
		for (const { batchID, line } of waiting) {
			const number = 1 + (numbers.get(batchID) ?? numberIn(this.#newest.get(batchID), 'number'));
			numbers.set(batchID, number);
			const { time, level, message, details } = line;
			this.#insert.run(batchID, number, time, level, message, details);
		}
		for (const [batchID, number] of numbers) this.#trim.run(batchID, number - mostKept);
	}
}
