import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../errors/thrown.ts';
import { bigintIn, numberIn } from '../columns.ts';
import { UnreadableSource } from '../copiedTables.ts';
import type { CopiedRow, CopiedTable, CopySource } from '../copiedTables.ts';
import type { TaskText } from '../taskStore.ts';
import { BrokenCopy, markFor, markOf, setMark } from './copyMark.ts';
import { DamagedDatabase, damageOf } from './database.ts';
import { storedKey } from './keptApiKey.ts';
import { checkColumns, ForeignDatabase, NewerDatabase, versionOf } from './migrate.ts';
import { migrations } from './migrations.ts';

/** A database of an earlier service. */
class OlderDatabase extends Error {}

/** A database that is read, and kept from everybody who would write until it is closed. */
export interface OpenSource extends CopySource {
	close(): void;
}

/** Opens a file to read all that it holds; throws an Error for people where it cannot be used. */
export function openCopySource(path: string, location: string, tasks: TaskText[]): OpenSource {
	let database: DatabaseSync | undefined;
	try {
		if (!statSync(path, { throwIfNoEntry: false })) throw new Error('there is no such file');
		database = new DatabaseSync(path);
		// Who works on it has it locked; whoever comes now has to wait.
		database.exec('BEGIN');
		check(database);
		const keptKey = storedKey(path);
		const opened = database;
		// They are to end here: so nobody else may write until then. Until now, another copy may have.
		if (hasUnfinished(opened)) opened.exec('ROLLBACK; BEGIN IMMEDIATE');
		const goesOn = hasUnfinished(opened);
		const mark = markFor(location);
		const found = markOf(opened);
		if (found !== 0 && found !== mark) throw new BrokenCopy();
		return {
			keptKey,
			tasks,
			name: nameOf(opened),
			goesOn,
			wasBrokenOff: found === mark,
			complete() {
				if (!goesOn) return;
				setMark(opened, mark);
				// Until this copy ends, nobody takes the mark away.
				opened.exec('COMMIT; BEGIN IMMEDIATE');
			},
			rows: (table) => rowsIn(path, opened, table),
			close: () => opened.close(),
		};
	} catch (error) {
		database?.close();
		throw unreadable(path, error);
	}
}

function nameOf(database: DatabaseSync): string {
	const statement = database.prepare('SELECT id FROM batches ORDER BY id');
	statement.setReadBigInts(true);
	const ids = createHash('sha256');
	for (const columns of statement.iterate()) ids.update(`${bigintIn(columns, 'id')} `);
	return ids.digest('hex');
}

function hasUnfinished(database: DatabaseSync): boolean {
	return database.prepare('SELECT 1 FROM batches WHERE status IN (1, 2)').get() !== undefined;
}

function check(database: DatabaseSync): void {
	const damage = damageOf(database);
	if (damage !== undefined) throw new DamagedDatabase(damage);
	const version = versionOf(database);
	if (version < migrations.length) {
		const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get();
		if (version === 0 && numberIn(tables, 'count') === 0) throw new ForeignDatabase('it is empty');
		throw new OlderDatabase(`it has version ${version}, this one ${migrations.length}`);
	}
	checkColumns(database);
}

function* rowsIn(path: string, database: DatabaseSync, table: CopiedTable): Generator<CopiedRow> {
	try {
		yield* rowsOf(database, table);
	} catch (error) {
		throw unreadable(path, error);
	}
}

function* rowsOf(database: DatabaseSync, { name, columns }: CopiedTable): Generator<CopiedRow> {
	const names = Object.keys(columns);
	const statement = database.prepare(`SELECT ${names.join(', ')} FROM ${name}`);
	statement.setReadBigInts(true);
	for (const row of statement.iterate()) {
		yield names.map((column) => {
			const value = row[column];
			if (typeof value === 'bigint' || typeof value === 'string') return value;
			if (value instanceof Uint8Array) return value;
			throw new TypeError(`Column ${name}.${column} holds ${typeof value}.`);
		});
	}
}

function unreadable(path: string, error: unknown): UnreadableSource {
	return new UnreadableSource(`The database ${path} cannot be copied: ${reasonFor(error)}`, {
		cause: error,
	});
}

function reasonFor(error: unknown): string {
	const reason = reasonOf(error);
	if (error instanceof OlderDatabase) {
		return `it is of an earlier version of the service (${reason}). Start this one on it once, with SERVICE_DATA, which brings it up to date, and end it; then copy again.`;
	}
	if (error instanceof NewerDatabase) {
		return `it is of a newer version of the service (${reason}). Update this one.`;
	}
	if (error instanceof ForeignDatabase) {
		return `it does not have the tables of this service: ${reason}. Name another file with --from.`;
	}
	if (error instanceof DamagedDatabase || reason === 'database disk image is malformed') {
		return `it is damaged: ${reason}. Copy one from before; "sqlite3 FILE .recover" shows what can still be read.`;
	}
	if (error instanceof BrokenCopy) {
		return 'its copy to another database, or by another address of it, was broken off at its end, so that its batches may go on there. Run that copy again, or take its mark away, with "copy --forget", if that database is lost.';
	}
	if (reason === 'database is locked')
		return 'a service works on it, or another program writes it. Stop that one, then copy again.';
	if (reason === 'attempt to write a readonly database') {
		return 'its batches that have not ended go on in the copy, and are to end in it, but it cannot be written. Let it be written, then copy again.';
	}
	return `${reason}. Name a file of SERVICE_DATA with --from that can be read, in a folder that can be written.`;
}
