import { textIn, type Columns } from '../columns.ts';
import { DatabaseAway, isBack, type PerhapsStored } from './outage.ts';

/** Milliseconds for a database to be back that was lost at the end of a transaction. */
const patience = 30_000;

/** The first part of the names of the files that a database writes; it is another one after a standby has taken over. */
const timeline = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';

/** What is asked for in a transaction, by which it is known later. */
export const askNumber = `txid_current()::text AS number, ${timeline} AS timeline`;

/** A transaction, by its number; the same one may be given to another where a standby has taken over. */
export interface NumberedTransaction {
	number: string;
	timeline: string;
}

export function numberedFrom(columns: Columns | undefined): NumberedTransaction {
	return { number: textIn(columns, 'number'), timeline: textIn(columns, 'timeline') };
}

/**
 * Whether a transaction is stored whose end was not heard. Whoever is told that it is not does again what was to be
 * done, as to start a batch, and whoever is told that nobody knows has lost its answer, as the rows that are never
 * sent to it again. So it is asked for as soon as the database is back. Throws `why` where that says nothing in time.
 */
export async function isCommitted(
	database: {
		query: (sql: string, ...values: string[]) => Promise<Columns[]>;
		isFull(): Promise<boolean>;
	},
	transaction: NumberedTransaction,
	why: PerhapsStored,
): Promise<boolean> {
	const signal = AbortSignal.timeout(patience);
	const { number, timeline: before } = transaction;
	while (await isBack(database, why, signal).catch(() => false)) {
		try {
			const [columns] = await database.query(
				`SELECT CASE WHEN ${timeline} = $2 THEN txid_status($1::bigint) END AS status`,
				number,
				before,
			);
			if (columns?.status === 'committed') return true;
			if (columns?.status === 'aborted') return false;
			if (columns?.status !== 'in progress') break;
		} catch (error) {
			if (!(error instanceof DatabaseAway)) break;
		}
	}
	throw why;
}
