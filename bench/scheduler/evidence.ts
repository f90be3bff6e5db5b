import type { MeasuredPostgres } from '../ground/postgres.ts';
import { table, twoDigits, whole } from '../report/table.ts';

/** What the database itself says of what was done in it. */
export class Evidence {
	readonly #ask: (sql: string) => Promise<Record<string, unknown>[]>;

	constructor(postgres: MeasuredPostgres, database: string) {
		this.#ask = (sql) => postgres.ask(database, sql);
	}

	/** From when all had begun: when batches got their first agent, and when the large one ended. */
	async begins(start: number, large: bigint): Promise<string> {
		const [found] = await this.#ask(
			`SELECT percentile_cont(ARRAY[0.01, 0.5, 0.99, 1]) WITHIN GROUP (ORDER BY start_time) AS times,
				(SELECT end_time FROM cloud_scraping.batches WHERE id = ${large}) AS end_time FROM cloud_scraping.batches`,
		);
		const times = [...numbersIn(found.times), Number(found.end_time)];
		return table(
			[
				'seconds until a batch has its first agent',
				'p1',
				'p50',
				'p99',
				'last',
				'until the large one has ended',
			],
			[['', ...times.map((time) => twoDigits((time - start) / 1000))]],
		);
	}

	/** How many batches that came later had an agent before one. */
	async overtakings(): Promise<string> {
		const [found] = await this.#ask(
			`SELECT percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY greatest(begun - created, 0)) AS places FROM (
				SELECT row_number() OVER (ORDER BY start_time, creation) AS begun, row_number() OVER (ORDER BY creation) AS created
				FROM cloud_scraping.batches
			) AS placed`,
		);
		return table(
			['places that a batch began later than it came', 'p50', 'p99', 'most'],
			[['', ...numbersIn(found.places).map(whole)]],
		);
	}

	/** Milliseconds that batches waited that came since then. */
	async waits(since: number): Promise<number[]> {
		const [found] = await this.#ask(
			`SELECT percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY start_time - create_time) AS waits
			FROM cloud_scraping.batches WHERE create_time >= ${since}`,
		);
		return numbersIn(found.waits);
	}

	/** The statements that took the longest together. */
	async statements(): Promise<string> {
		const found = await this.#ask(
			`SELECT calls, total_exec_time, mean_exec_time, regexp_replace(query, '\\s+', ' ', 'g') AS query,
				total_exec_time / sum(total_exec_time) OVER () AS share
			FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 12`,
		);
		return table(
			['statement', 'share', 'calls', 'ms each'],
			found.map(({ query, share, calls, mean_exec_time: each }) => [
				String(query).slice(0, 90).replaceAll('|', '/'),
				`${whole(Number(share) * 100)} %`,
				whole(Number(calls)),
				twoDigits(Number(each)),
			]),
		);
	}

	/** The largest tables, what was written in them, and what of it is dead. */
	async tables(): Promise<string> {
		const found = await this.#ask(
			`SELECT schemaname || '.' || relname AS name, n_tup_ins, n_tup_upd, n_tup_hot_upd, n_tup_del, n_dead_tup,
				pg_table_size(relid) / 1e6 AS megabytes, pg_indexes_size(relid) / 1e6 AS of_indexes
			FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC LIMIT 8`,
		);
		return table(
			[
				'table',
				'inserted',
				'updated',
				'of them without an index',
				'deleted',
				'dead',
				'MB',
				'MB of indexes',
			],
			found.map((each) => [
				String(each.name),
				...['n_tup_ins', 'n_tup_upd', 'n_tup_hot_upd', 'n_tup_del', 'n_dead_tup'].map((name) =>
					whole(Number(each[name])),
				),
				twoDigits(Number(each.megabytes)),
				twoDigits(Number(each.of_indexes)),
			]),
		);
	}

	async rows(): Promise<number> {
		const [found] = await this.#ask('SELECT sum(line_count) AS rows FROM cloud_scraping.batches');
		return Number(found.rows);
	}

	async now(): Promise<{ left: number; connections: number }> {
		const [found] = await this.#ask(
			`SELECT (SELECT count(*) FROM cloud_scraping.batches WHERE status IN (1, 2)) AS left,
				(SELECT count(*) FROM pg_stat_activity WHERE application_name = 'cloud-scraping-service') AS connections`,
		);
		return { left: Number(found.left), connections: Number(found.connections) };
	}
}

function numbersIn(value: unknown): number[] {
	return Array.isArray(value) ? value.map(Number) : [];
}
