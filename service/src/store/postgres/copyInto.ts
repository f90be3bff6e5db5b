import { pino } from 'pino';
import { numberIn, textIn } from '../columns.ts';
import {
	CopiedBefore,
	copiedTables,
	PerhapsCopied,
	TableSums,
	UnreadableSource,
} from '../copiedTables.ts';
import type { Copied, CopiedRow, CopiedTable, CopySource } from '../copiedTables.ts';
import { sliceLength } from '../rowStore.ts';
import { entriesOf, type NamedTable } from '../tableWords.ts';
import { Connections, storableText, type Query } from './connections.ts';
import { locationOf } from './location.ts';
import { PerhapsStored } from './outage.ts';
import { holdVersion, migrate } from './migrate.ts';
import { insertTask } from './taskStore.ts';
import { NotEmpty, UnequalCopy, unusable } from './unusable.ts';

/** Rows that are sent at once, and rows that are read back at once. */
const rowsAtOnce = 1_000;
const readAtOnce = 200;

/** What must be empty besides what is copied: a service that was started has left something there. */
const otherTables = [
	'tasks',
	'deleted_tasks',
	'first_tasks',
	'kept_keys',
	'console_sessions',
] as const;
const tables: NamedTable[] = [...copiedTables.map(({ name }) => name), ...otherTables];

/**
 * Copies everything into an empty database, in which the tables are made where they are not, as one transaction:
 * all of it, or nothing. What has arrived is read back and compared before that ends. Throws an Error for people.
 */
export async function copyIntoPostgres(address: string, source: CopySource): Promise<Copied> {
	const log = pino({ level: 'silent' });
	try {
		await migrate(address);
		const database = new Connections(address, holdVersion, log);
		const sent = new Map<CopiedTable, TableSums>();
		const copying = database.transaction((query) => copy(query, source, sent));
		return await copying.finally(() => database.close());
	} catch (error) {
		if (error instanceof UnreadableSource || error instanceof CopiedBefore) throw error;
		const why = unusable(locationOf(address), error);
		throw error instanceof PerhapsStored ? new PerhapsCopied(why.message, { cause: error }) : why;
	}
}

/** Others may read, and find what was there before. */
async function lock(query: Query): Promise<void> {
	await query(`LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
}

async function copy(
	query: Query,
	source: CopySource,
	sent: Map<CopiedTable, TableSums>,
): Promise<Copied> {
	await lock(query);
	await refuseWhatIsThere(query, source);
	for (const table of copiedTables) sent.set(table, await copyTable(query, table, source));
	if (source.keptKey) {
		const { hash, ending } = source.keptKey;
		await query('INSERT INTO kept_keys (hash, ending) VALUES ($1, $2)', hash, ending);
	}
	for (const task of source.tasks) await insertTask(query, task);
	await query('INSERT INTO first_tasks DEFAULT VALUES ON CONFLICT DO NOTHING');
	const copied = await compared(query, source, sent);
	// By that it is known again, whatever becomes of its batches.
	await query(`COMMENT ON TABLE first_tasks IS '${source.name}'`);
	source.complete();
	return copied;
}

/** Reads back what has arrived, and counts it; throws where it is not what was sent. */
async function compared(
	query: Query,
	source: CopySource,
	sent: Map<CopiedTable, TableSums>,
): Promise<Copied> {
	const counts = new Map<string, number>();
	let batches = 0;
	for (const [table, sums] of sent) {
		const difference = sums.differenceTo(await sumsIn(query, table));
		if (difference !== undefined) throw new UnequalCopy(difference);
		counts.set(table.name, sums.count);
		if (table.name === 'rows') batches = sums.batches;
	}
	counts.set('tasks', await countIn(query, 'tasks'));
	if (counts.get('tasks') !== source.tasks.length) throw new UnequalCopy('tasks');
	return { counts, batches };
}

async function refuseWhatIsThere(query: Query, source: CopySource): Promise<void> {
	const there: string[] = [];
	for (const table of tables) {
		const count = await countIn(query, table);
		if (count > 0) there.push(entriesOf(table, count));
	}
	if (there.length === 0) return;
	if ((await nameOfCopy(query)) === source.name) throw new CopiedBefore();
	throw new NotEmpty(there.join(', '));
}

/** What was copied here; empty: nothing. */
async function nameOfCopy(query: Query): Promise<string> {
	const [columns] = await query(
		`SELECT coalesce(obj_description('first_tasks'::regclass, 'pg_class'), '') AS name`,
	);
	return textIn(columns, 'name');
}

async function countIn(query: Query, table: string): Promise<number> {
	const [columns] = await query(`SELECT count(*) AS count FROM ${table}`);
	return numberIn(columns, 'count');
}

/** Resolves to the sums of what was sent. */
async function copyTable(query: Query, table: CopiedTable, source: CopySource): Promise<TableSums> {
	const sums = new TableSums(table);
	let rows: CopiedRow[] = [];
	let length = 0;
	for (const row of source.rows(table)) {
		const values = row.map((value) => (typeof value === 'string' ? storableText(value) : value));
		sums.add(values);
		rows.push(values);
		for (const value of values) if (typeof value !== 'bigint') length += value.length;
		if (rows.length < rowsAtOnce && length < sliceLength) continue;
		await insert(query, table, rows);
		rows = [];
		length = 0;
	}
	if (rows.length > 0) await insert(query, table, rows);
	if (table.numbered !== undefined) await numberOn(query, table.name, table.numbered);
	return sums;
}

/** Has the numbers of a column go on behind those that are there: as part of the transaction, unlike setval. */
async function numberOn(query: Query, table: string, column: string): Promise<void> {
	const [columns] = await query(
		`SELECT pg_get_serial_sequence('${table}', '${column}') AS sequence, coalesce(max(${column}), 0) + 1 AS next FROM ${table}`,
	);
	await query(
		`ALTER SEQUENCE ${textIn(columns, 'sequence')} RESTART WITH ${numberIn(columns, 'next')}`,
	);
}

async function insert(query: Query, { name, columns }: CopiedTable, rows: CopiedRow[]) {
	const names = Object.keys(columns);
	const arrays = Object.values(columns).map((kind, index) => `$${index + 1}::${kind}[]`);
	await query(
		`INSERT INTO ${name} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
		SELECT * FROM unnest(${arrays.join(', ')})`,
		...names.map((_, index) => rows.map((row) => row[index] ?? null)),
	);
}

/** The sums of what stands in a table, of which never more than a part is here. */
async function sumsIn(query: Query, table: CopiedTable): Promise<TableSums> {
	const names = Object.keys(table.columns);
	const sums = new TableSums(table);
	await query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${names.join(', ')} FROM ${table.name}`);
	for (;;) {
		const rows = await query(`FETCH ${readAtOnce} FROM copied`);
		for (const row of rows) sums.add(names.map((name) => row[name]));
		if (rows.length < readAtOnce) break;
	}
	await query('CLOSE copied');
	return sums;
}
