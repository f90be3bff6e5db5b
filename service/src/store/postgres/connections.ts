import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Db } from 'pg-boss';
import { reasonOf } from '../../errors/thrown.ts';
import { numberIn, type Columns } from '../columns.ts';
import {
	codeOf,
	DatabaseAway,
	DatabaseRefuses,
	isOfFullDisk,
	PerhapsStored,
	told,
} from './outage.ts';
import { changes, unanswered, UnansweredWrites, writes } from './unansweredWrites.ts';
import { askNumber, isCommitted, numberedFrom, type NumberedTransaction } from './unheardCommit.ts';

/** The schema in which all tables of the service stand: other programs may use the same database. */
export const schema = 'cloud_scraping';

/** The schema of pg-boss: a newer version of it that changes that comes with a migration of ours. */
export const queueSchema = 'cloud_scraping_queue';

/** Milliseconds for a connection to come about, and for a statement to be answered. */
const connectTime = 10_000;
const answerTime = 60_000;

/**
 * Milliseconds for which a transaction may wait for its process: what it has locked, a frozen one, or one that was
 * cut off, would keep from all others for as long as the network takes it for connected.
 */
const idleTime = 10_000;

/** Connections of one process. */
const maxConnections = 10;

/** The OID of 64-bit integers, which are read as bigint: they do not fit into a number. */
const int8 = 20;
const types = new pg.TypeOverrides();
types.setTypeParser(int8, BigInt);

/**
 * Milliseconds since 1970 by the clock of the database: those of the machines may differ, and what one of them has
 * just used or ended would have expired for another.
 */
export const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** What that clock says. */
export async function clockOf({ query }: Pick<Connections, 'query'>): Promise<number> {
	const [columns] = await query(`SELECT ${now} AS now`);
	return numberIn(columns, 'now');
}

/** What a statement is given. */
type Value = string | number | bigint | boolean | null | Uint8Array | Value[];

/** Runs a statement, and resolves to its rows. */
export type Query = (sql: string, ...values: Value[]) => Promise<Columns[]>;

/** What holds in each connection, whatever the address, the database and its user have set. */
const sessionSettings = [
	`search_path=${schema}`,
	'client_min_messages=warning',
	`idle_in_transaction_session_timeout=${idleTime}`,
	// Rows that a policy hides are not taken for gone: PostgreSQL refuses what would not see them.
	'row_security=off',
	// What waits for somebody else's lock is no failure: `query_timeout` ends what waits for too long.
	'statement_timeout=0',
	'lock_timeout=0',
	// What was written is on the disk before anybody goes on from there.
	'synchronous_commit=on',
	// As pg-boss writes its texts.
	'standard_conforming_strings=on',
	// Who waits for another one then sees what that one has written.
	'default_transaction_isolation=read\\ committed',
];

/** How a PostgreSQL is reached. Who opens a connection has it `stayOpen` first. */
export function settingsFor(address: string): pg.ClientConfig {
	const url = new URL(address);
	const given = url.searchParams.get('options') ?? '';
	url.searchParams.delete('options');
	// pg decodes less of the name of a database than may be encoded.
	url.pathname = encodeURI(decodeURIComponent(url.pathname));
	return {
		connectionString: url.href,
		application_name: 'cloud-scraping-service',
		options: [given, ...sessionSettings.map((setting) => `-c ${setting}`)].join(' '),
		connectionTimeoutMillis: connectTime,
		query_timeout: answerTime,
		keepAlive: true,
		types,
	};
}

/**
 * Keeps PostgreSQL from ending a connection that has nothing to do, whatever the address, the database and its user
 * have set: version 13 does not know that, and would refuse a connection that says so as it begins.
 */
export async function stayOpen(query: Query): Promise<void> {
	const name = 'idle_session_timeout';
	await query(
		`SELECT set_config('${name}', '0', false) WHERE current_setting('${name}', true) IS NOT NULL`,
	);
}

/** The statements of a connection. */
export function queryOf(client: pg.ClientBase): Query {
	return async (sql, ...values) => {
		// By its name, a connection knows a statement again and does not plan it anew.
		const name = values.length > 0 ? nameOf(sql) : undefined;
		const answer = await client.query<Columns>({ name, text: sql, values: values.map(storable) });
		// Of several statements in one text, there is a list of answers.
		return [answer].flat().flatMap(({ rows }) => rows);
	};
}

/** What pg-boss runs its statements with: for those of a transaction, those of that. */
export function bossDatabase(query: Query): Db {
	return {
		executeSql: async (text, values = []) => {
			if (!values.every(isValue)) throw new TypeError('A value of pg-boss is none of a statement.');
			return { rows: await query(text, ...values) };
		},
	};
}

function isValue(value: unknown): value is Value {
	return (
		value === null ||
		value instanceof Uint8Array ||
		['string', 'number', 'bigint', 'boolean'].includes(typeof value) ||
		(Array.isArray(value) && value.every(isValue))
	);
}

/** PostgreSQL's code where it has no connection left for somebody. */
const tooMany = '53300';
/** Milliseconds for another connection to come free then, and between two looks for that. */
const freeingTime = 5_000;
const freeingPause = 50;

/** Milliseconds for which a refusal counts: more than between two tries. */
const refusalTime = 2_000;

/** The connections of one process to its database. */
export class Connections {
	/** Runs a statement; one that changes the tables of the service as a transaction of its own. */
	readonly query: Query;
	/** Runs one as it is: those of pg-boss, in tables of its own. */
	readonly plain: Query;
	readonly #pool: pg.Pool;
	/** Whether the disk of the database had no room, since it was last seen to have some. */
	#wasFull = false;
	/** What it has refused last, and when, by the monotonic clock. */
	#refused: { reason: string; at: number } | undefined;
	readonly #unanswered = new UnansweredWrites({
		tryOne: () => this.transaction(fill),
		isGivenUp,
	});
	readonly #endSaying: () => void;
	readonly #log: FastifyBaseLogger;

	/** `check` looks at each new connection before it is used. */
	constructor(address: string, check: (query: Query) => Promise<void>, log: FastifyBaseLogger) {
		this.#log = log;
		this.#pool = new pg.Pool({
			...settingsFor(address),
			max: maxConnections,
			verify: (client, done) => {
				const query = queryOf(client);
				void stayOpen(query)
					.then(() => check(query))
					.then(() => done(), done);
			},
		});
		// Without somebody who hears of it, it would end the process: also before a connection is used, and
		// between two statements, of which the next one tells.
		this.#pool.on('connect', (client) => client.on('error', () => undefined));
		this.#pool.on('error', (error) =>
			log.warn({ reason: reasonOf(error) }, 'database connection lost'),
		);
		this.plain = (sql, ...values) => this.#with((query) => query(sql, ...values), writes(sql));
		this.query = (sql, ...values) =>
			changes(sql)
				? this.transaction((query) => query(sql, ...values))
				: this.plain(sql, ...values);
		this.#endSaying = this.#unanswered.sayIn(log);
	}

	/**
	 * Runs `work` as one transaction: all of its changes are stored, or none, and by no trigger something else. Throws
	 * `PerhapsStored` only where nobody can tell which of both it is.
	 */
	async transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
		let done: { transaction: NumberedTransaction; result: Result } | undefined;
		const numbered = async (query: Query) => {
			const [begun] = await query(begin);
			const result = await work(query);
			done = { transaction: numberedFrom(begun), result };
			await commit(query, 'SELECT refuse_triggers(); COMMIT');
			return result;
		};
		try {
			return await this.#with(numbered, true);
		} catch (error) {
			if (!(done && error instanceof PerhapsStored)) throw error;
			if (await isCommitted(this, done.transaction, error)) return done.result;
			throw new DatabaseAway(error.message, { cause: error.cause });
		}
	}

	async #with<Result>(work: (query: Query) => Promise<Result>, isWrite: boolean): Promise<Result> {
		const client = await this.#connect().catch(unreachable);
		let isDone = false;
		try {
			const ask = () => work(queryOf(client));
			const result = await (isWrite ? this.#unanswered.watch(ask) : ask());
			isDone = true;
			return result;
		} catch (error) {
			const isFull = isOfFullDisk(error);
			this.#wasFull ||= isFull;
			const why = told(error);
			if (isFull || why instanceof DatabaseRefuses) this.#noteRefusal(reasonOf(why));
			throw why;
		} finally {
			// Whatever it was in the middle of: its connection is not used again.
			client.release(!isDone);
		}
	}

	/** One of its own, where the database gives no further one: that is free in a moment. */
	async #connect(): Promise<pg.PoolClient> {
		for (const end = performance.now() + freeingTime; ;) {
			try {
				return await this.#pool.connect();
			} catch (error) {
				const isOfNumber = codeOf(error) === tooMany && this.#pool.totalCount > 0;
				if (!isOfNumber || performance.now() >= end) throw error;
				await sleep(freeingPause);
			}
		}
	}

	/** Whether the disk of the database is full, as a write that had no room has told: tries whether there is some. */
	async isFull(): Promise<boolean> {
		if (!this.#wasFull) return false;
		this.#wasFull = await this.transaction(fill).then(
			() => false,
			(error: unknown) => isOfFullDisk(error),
		);
		return this.#wasFull;
	}

	/** What the database has refused just now: whatever waits for that asks again and again. */
	get refused(): string | undefined {
		const { reason, at = -Infinity } = this.#refused ?? {};
		return performance.now() - at < refusalTime ? reason : undefined;
	}

	/** Why nothing is known to be written, for people; undefined: it is. */
	get unanswered(): string | undefined {
		return this.#unanswered.areThere ? unanswered : undefined;
	}

	#noteRefusal(reason: string): void {
		if (this.refused !== reason) this.#log.error({ reason }, 'database refuses what is written');
		this.#refused = { reason, at: performance.now() };
	}

	close(): Promise<void> {
		this.#endSaying();
		return this.#pool.end();
	}
}

/** How a transaction begins that is known by its number. */
const begin = `BEGIN; SELECT ${askNumber}`;

/** Runs `work` as one transaction on a connection at hand; after an error, that connection is to be closed. */
export async function inTransaction(query: Query, work: () => Promise<void>): Promise<void> {
	await query('BEGIN');
	await work();
	await commit(query);
}

async function commit(query: Query, sql = 'COMMIT'): Promise<void> {
	try {
		await query(sql);
	} catch (error) {
		const why = told(error);
		// What is refused is not stored.
		if (!(why instanceof DatabaseAway) || why instanceof DatabaseRefuses) throw why;
		throw new PerhapsStored(why.message, { cause: error });
	}
}

/** Whatever keeps a process from its database says nothing of what it was about to write. */
function unreachable(error: unknown): never {
	throw new DatabaseAway(reasonOf(error) || codeOf(error), { cause: error });
}

/** What pg says of a statement that has had no answer in its time. */
function isGivenUp(error: unknown): boolean {
	return reasonOf(error) === 'Query read timeout';
}

/** Takes room on the disk, and gives it back. */
async function fill(query: Query): Promise<void> {
	await query(
		'CREATE TEMP TABLE room ON COMMIT DROP AS SELECT md5(n::text) AS filling FROM generate_series(1, 20000) AS n',
	);
}

const names = new Map<string, string>();

function nameOf(sql: string): string {
	const known = names.get(sql);
	if (known !== undefined) return known;
	const name = createHash('sha256').update(sql).digest('base64url');
	names.set(sql, name);
	return name;
}

function storable(value: Value): Value {
	if (typeof value === 'string') return storableText(value);
	return Array.isArray(value) ? value.map(storable) : value;
}

/** PostgreSQL has no NUL in texts. */
export function storableText(text: string): string {
	return text.replaceAll('\0', '\uFFFD');
}
