import { lineFrom, type LogLines, type NewestLines, type WaitingLine } from '../batchLogStore.ts';
import { numberIn } from '../columns.ts';
import type { Connections, Query } from './connections.ts';

export class PostgresLogLines implements LogLines {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	add(lines: WaitingLine[], maxKept: number): Promise<void> {
		const ids = [...new Set(lines.map(({ batchID }) => batchID))].sort((a, b) => (a < b ? -1 : 1));
		return this.#database.transaction(async (query) => {
			// Lines have numbers without gaps: one writer at a time for a batch, in one order for all.
			for (const id of ids) await query('SELECT pg_advisory_xact_lock($1)', id);
			for (const id of ids) {
				// Of a batch that is deleted, what its agents have said last is deleted as well.
				const there = await query('SELECT id FROM batches WHERE id = $1 FOR KEY SHARE', id);
				if (there.length === 0) continue;
				const own = lines.filter(({ batchID }) => batchID === id);
				await store(query, id, own, maxKept);
			}
		});
	}

	async newest(batchID: bigint, count: number): Promise<NewestLines> {
		const found = await this.#database.query(
			'SELECT number, time, level, message, details FROM batch_log WHERE batch_id = $1 ORDER BY number DESC LIMIT $2',
			batchID,
			count,
		);
		const [last] = found;
		const written = last ? numberIn(last, 'number') : 0;
		return { lines: found.map(lineFrom), dropped: written - found.length };
	}
}

async function store(
	query: Query,
	id: bigint,
	lines: WaitingLine[],
	maxKept: number,
): Promise<void> {
	await query(
		`INSERT INTO batch_log (batch_id, number, time, level, message, details)
		SELECT $1, place + (SELECT coalesce(max(number), 0) FROM batch_log WHERE batch_id = $1), time, level, message, details
		FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[])
		WITH ORDINALITY AS given (time, level, message, details, place)`,
		id,
		lines.map(({ line }) => line.time),
		lines.map(({ line }) => line.level),
		lines.map(({ line }) => line.message),
		lines.map(({ line }) => line.details),
	);
	await query(
		`DELETE FROM batch_log WHERE batch_id = $1
		AND number <= (SELECT max(number) FROM batch_log WHERE batch_id = $1) - $2`,
		id,
		maxKept,
	);
}
