import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const schema = `
	CREATE TABLE IF NOT EXISTS batches (
		id INTEGER PRIMARY KEY,
		task_id TEXT NOT NULL,
		region TEXT NOT NULL,
		node_count INTEGER NOT NULL,
		job_count INTEGER NOT NULL,
		status INTEGER NOT NULL,
		create_time INTEGER NOT NULL,
		update_time INTEGER NOT NULL,
		start_time INTEGER NOT NULL DEFAULT 0,
		end_time INTEGER NOT NULL DEFAULT 0,
		run_time INTEGER NOT NULL DEFAULT 0,
		line_count INTEGER NOT NULL DEFAULT 0,
		duplicated_count INTEGER NOT NULL DEFAULT 0,
		request_id TEXT NOT NULL,
		fields TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS batches_by_creation ON batches (task_id, id);
	CREATE INDEX IF NOT EXISTS batches_by_run_time ON batches (task_id, run_time, id);
	CREATE INDEX IF NOT EXISTS batches_by_line_count ON batches (task_id, line_count, id);
	CREATE INDEX IF NOT EXISTS unfinished_batches ON batches (task_id, id) WHERE status IN (1, 2);

	-- The task as it was started, until its batch has ended: later edits of its file change no run.
	CREATE TABLE IF NOT EXISTS started_tasks (
		batch_id INTEGER PRIMARY KEY,
		task TEXT NOT NULL
	) STRICT;

	CREATE TABLE IF NOT EXISTS jobs (
		batch_id INTEGER NOT NULL,
		number INTEGER NOT NULL,
		first_item INTEGER NOT NULL,
		end_item INTEGER NOT NULL,
		done INTEGER NOT NULL DEFAULT 0,
		row_count INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY (batch_id, number)
	) STRICT, WITHOUT ROWID;

	-- "position" says where in its job's steps a row was scraped: a repeated step stores nothing twice.
	CREATE TABLE IF NOT EXISTS rows (
		batch_id INTEGER NOT NULL,
		job INTEGER NOT NULL,
		number INTEGER NOT NULL,
		position TEXT NOT NULL,
		hash BLOB NOT NULL,
		content TEXT NOT NULL,
		PRIMARY KEY (batch_id, job, number)
	) STRICT, WITHOUT ROWID;
	CREATE UNIQUE INDEX IF NOT EXISTS rows_by_position ON rows (batch_id, job, position);
	CREATE INDEX IF NOT EXISTS rows_by_hash ON rows (batch_id, hash);

	CREATE TABLE IF NOT EXISTS deduplications (
		id TEXT PRIMARY KEY,
		last_use INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS returned_rows (
		deduplication_id TEXT NOT NULL REFERENCES deduplications (id) ON DELETE CASCADE,
		hash BLOB NOT NULL,
		PRIMARY KEY (deduplication_id, hash)
	) STRICT, WITHOUT ROWID;
`;

/**
 * Opens (or creates) the database file. It belongs to this process alone until it is closed, so that
 * two services never run the same batches; throws an Error for people when it cannot be used.
 */
export function openDatabase(path: string): DatabaseSync {
	let database: DatabaseSync | undefined;
	try {
		makeFolder(dirname(path));
		database = new DatabaseSync(path);
		database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
		database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
		createTables(database);
		return database;
	} catch (error) {
		database?.close();
		throw unusable(path, error);
	}
}

/** Not left to Node.js (`recursive`), which tries for ever where nothing can be made, as in /proc. */
function makeFolder(path: string): void {
	if (existsSync(path)) return;
	makeFolder(dirname(path));
	mkdirSync(path);
}

function createTables(database: DatabaseSync): void {
	transaction(database, () => database.exec(schema));
}

function unusable(path: string, error: unknown): Error {
	const reason = error instanceof Error ? error.message : String(error);
	const isFolder = existsSync(path) && statSync(path).isDirectory();
	switch (reason) {
		case 'database is locked':
			return new Error(
				`The database ${path} is in use by another service. Stop that one, or set SERVICE_DATA to another file.`,
			);
		case 'file is not a database':
			return new Error(
				`The database ${path} cannot be used: ${reason}. Set SERVICE_DATA to another file, or remove this one.`,
			);
		default:
			return new Error(
				`The database ${path} cannot be used: ${isFolder ? 'it is a folder' : reason}. Set SERVICE_DATA to a file that can be written, in a folder that can be written.`,
			);
	}
}

/** Runs `work` as one transaction: all of its changes are stored, or none. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		// SQLite has rolled back itself after some errors, such as a full disk.
		if (database.isTransaction) database.exec('ROLLBACK');
		throw error;
	}
}
