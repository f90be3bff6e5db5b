import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../errors/thrown.ts';
import { numberIn, textIn } from '../columns.ts';
import { migrations, type Migration } from './migrations.ts';

/** A database of a later service. */
export class NewerDatabase extends Error {}

/** A database whose tables are others than its version says, such as one of another program. */
export class ForeignDatabase extends Error {}

/** Codes of SQLite for what cannot be done with these tables, or with what stands in them. */
const tableMistakes = [1, 19];

/** Brings the tables to the version of this service, within a transaction of the caller. */
export function migrate(database: DatabaseSync): void {
	refuseForeign(database);
	const version = versionOf(database);
	// On a full disk nothing is to be written that stands there.
	if (version < migrations.length) {
		try {
			migrateFrom(version, database);
		} catch (error) {
			throw isTableMistake(error) ? new ForeignDatabase(reasonOf(error)) : error;
		}
	}
	checkColumns(database);
}

/** Throws where a database has tables, but not the one that a service of any version has. */
export function refuseForeign(database: DatabaseSync): void {
	const found = columnsOf(database);
	if (found.length === 0) return;
	const first = columnsMadeBy(migrations.slice(0, 1));
	const needed = first.filter((column) => column.startsWith('batches.'));
	refuseWithout(needed, found);
}

/** The version of a database; throws where it is that of a later service. */
export function versionOf(database: DatabaseSync): number {
	const version = numberIn(database.prepare('PRAGMA user_version').get(), 'user_version');
	if (version > migrations.length) {
		throw new NewerDatabase(`it has version ${version}, this service knows ${migrations.length}`);
	}
	return version;
}

/** Throws where the tables of a database lack something that those of this version have. */
export function checkColumns(database: DatabaseSync): void {
	refuseWithout(columnsMadeBy(migrations), columnsOf(database));
}

function refuseWithout(needed: string[], found: string[]): void {
	const missing = needed.filter((column) => !found.includes(column));
	if (missing.length > 0) throw new ForeignDatabase(`it lacks ${missing.join(', ')}`);
}

function migrateFrom(version: number, database: DatabaseSync): void {
	apply(migrations.slice(version), database);
	database.exec(`PRAGMA user_version = ${migrations.length}`);
}

function apply(some: Migration[], database: DatabaseSync): void {
	for (const { neededWhere, sql } of some) {
		if (neededWhere === undefined || database.prepare(neededWhere).get()) database.exec(sql);
	}
}

/** Those of a database that is made from nothing. */
function columnsMadeBy(some: Migration[]): string[] {
	const database = new DatabaseSync(':memory:');
	apply(some, database);
	const columns = columnsOf(database);
	database.close();
	return columns;
}

/** Each with its table: `batches.id`. */
function columnsOf(database: DatabaseSync): string[] {
	const columns = database.prepare(
		`SELECT tables.name || '.' || columns.name AS name
		FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
	);
	return columns.all().map((column) => textIn(column, 'name'));
}

function isTableMistake(error: unknown): boolean {
	if (!(error instanceof Error && 'errcode' in error)) return false;
	// The lowest byte; the others say more.
	return tableMistakes.includes(Number(error.errcode) & 0xff);
}
