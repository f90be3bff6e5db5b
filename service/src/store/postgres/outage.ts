import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { reasonOf } from '../../errors/thrown.ts';
import type { Columns } from '../columns.ts';
import { isOwn } from './ownErrors.ts';

/** PostgreSQL's code for a write that has no room. */
const diskFull = '53100';

/** Milliseconds between two looks whether a database is back. */
const pause = 500;

/** Milliseconds for a database to answer who watches over the service. */
const patience = 3_000;

/**
 * Codes of the network, and of PostgreSQL, for a server that is not there, ends, begins, stands by for another, or
 * has no connection left, or has called off who was away for too long; or that has no room, which somebody may make.
 */
const outages = [
	/^E(CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN)/,
	/^(08...|25006|25P0[34]|53300|57P0[1-5])$/,
];

/** What pg says of a connection that has come to its end, without a code. */
const endedConnection =
	/^(Connection terminated|Client has encountered a connection error|timeout exceeded|Query read timeout)/;

/** What a statement fails with while the database is not there. */
export class DatabaseAway extends Error {
	readonly code: string = 'ERR_DATABASE_AWAY';
}

/** What a statement fails with that the database does not let through, whatever is in it. */
export class DatabaseRefuses extends DatabaseAway {
	override readonly code = 'ERR_DATABASE_REFUSES';
}

/** What a transaction fails with of whose end nothing was heard: all of it is stored, or nothing. */
export class PerhapsStored extends DatabaseAway {
	override readonly code = 'ERR_PERHAPS_STORED';
}

/** Asks a database something. */
type Ask = (sql: string) => Promise<Columns[]>;

/** An error of the database, or of the way to it, as what it is. */
export function told(error: unknown): unknown {
	if (error instanceof DatabaseAway) return error;
	if (isOutage(error)) return new DatabaseAway(reasonOf(error) || codeOf(error), { cause: error });
	if (!(error instanceof pg.DatabaseError) || isOwn(error)) return error;
	return new DatabaseRefuses(reasonOf(error), { cause: error });
}

/**
 * Waits for a database that is not there, or has no room, as its error says: see `Database.isBack`. `isFull`: whether
 * it has no room yet.
 */
export async function isBack(
	database: { query: Ask; isFull(): Promise<boolean> },
	error: unknown,
	signal: AbortSignal,
): Promise<boolean> {
	if (!(error instanceof DatabaseAway)) return false;
	for (;;) {
		await sleep(pause, undefined, { signal });
		try {
			await checkWritable(database.query);
			if (await database.isFull()) continue;
			return true;
		} catch (next) {
			if (!(next instanceof DatabaseAway)) return false;
		}
	}
}

/** What is known of the writes of a process. */
interface Writes {
	/** Whether there was no room for one of late. */
	isFull(): Promise<boolean>;
	/** What was refused of late. */
	refused: string | undefined;
	/** Why it is not known whether one was written. */
	unanswered: string | undefined;
}

/** Why a database cannot be used now, for people; undefined: it can. See `Store.whyNotReady`. */
export async function whyAway(
	query: Ask,
	location: string,
	made: Writes,
): Promise<string | undefined> {
	const answered = new AbortController();
	const database = `The database ${location}`;
	const care = 'See to PostgreSQL.';
	const unconfirmed = () =>
		made.unanswered && `${database} does not confirm what is written: ${made.unanswered}. ${care}`;
	try {
		const late = sleep(patience, undefined, { signal: answered.signal }).then(() => {
			throw new Error(`no answer within ${patience / 1_000} seconds`);
		});
		if (await Promise.race([checkWritable(query).then(() => made.isFull()), late]))
			return `${database} has no room: its disk is full. Make room there.`;
		const { refused } = made;
		if (refused !== undefined) return `${database} refuses what is written: ${refused}. ${care}`;
		return unconfirmed();
	} catch (error) {
		// Where all connections wait for that, there is none for the question.
		return unconfirmed() ?? `${database} is away: ${reasonOf(error)}. ${care}`;
	} finally {
		answered.abort();
	}
}

/** Throws a DatabaseAway where nothing can be written, as in one that stands by for another. */
async function checkWritable(query: Ask): Promise<void> {
	const [columns] = await query('SHOW transaction_read_only');
	if (columns?.transaction_read_only !== 'on') return;
	throw new DatabaseAway('it is only read, and takes no changes');
}

function isOutage(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const code = codeOf(error) ?? '';
	if (
		code === diskFull ||
		outages.some((kind) => kind.test(code)) ||
		endedConnection.test(error.message)
	)
		return true;
	return isOutage(error.cause);
}

/** Whether a write has failed since there is no room for it. */
export function isOfFullDisk(error: unknown): boolean {
	if (codeOf(error) === diskFull) return true;
	return error instanceof Error && error.cause !== undefined && isOfFullDisk(error.cause);
}

/** The code that PostgreSQL, or the network, has for an error. */
export function codeOf(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
