import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { reasonOf } from '../../errors/thrown.ts';
import { makeFolder } from '../../files/makeFolder.ts';
import { numberIn, textIn } from '../columns.ts';
import { BrokenCopy, markOf } from './copyMark.ts';
import { ForeignDatabase, migrate, NewerDatabase, refuseForeign } from './migrate.ts';
import { reserveOf } from './reserve.ts';

/**
 * Opens (or creates) the database file. It belongs to this process alone until it is closed, so that
 * two services never run the same batches, and to its owner, since started tasks may hold passwords.
 * Throws an Error for people when it cannot be used.
 */
export function openDatabase(path: string, { isCopied = false } = {}): DatabaseSync {
	let database: DatabaseSync | undefined;
	try {
		makeFolder(dirname(path));
		lookAt(path);
		const loss = lossOf(path);
		if (loss !== undefined) throw new DamagedDatabase(loss);
		database = openForOwner(path);
		database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA foreign_keys = ON;');
		const damage = damageOf(database);
		if (damage !== undefined) throw new DamagedDatabase(damage);
		const opened = database;
		transaction(opened, () => migrate(opened));
		if (!isCopied && markOf(opened) !== 0) throw new BrokenCopy();
		// From here on it is known to be the service's own.
		keepForOwner(path);
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		return database;
	} catch (error) {
		database?.close();
		throw unusable(path, error);
	}
}

/**
 * Throws where a file is the database of another program. As immutable it is read without a lock, and without
 * what SQLite would leave in its folder; whatever else is wrong with it shows when it is opened.
 */
function lookAt(path: string): void {
	if (!isFile(path)) return;
	const address = pathToFileURL(path);
	address.searchParams.set('immutable', '1');
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(address, { readOnly: true });
		refuseForeign(database);
	} catch (error) {
		if (error instanceof ForeignDatabase) throw error;
	} finally {
		database?.close();
	}
}

/** Why a file that is empty, or is not there, is not taken for a new one: SQLite would throw away what stands beside it. */
function lossOf(path: string): string | undefined {
	const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size;
	const size = sizeOf(path);
	if (size !== undefined && size > 0) return undefined;
	const wal = sizeOf(`${path}-wal`) ?? 0;
	const wasThere = wal > 0 || (size === 0 && sizeOf(reserveOf(path)) !== undefined);
	const what = size === 0 ? 'is empty' : 'is not there';
	return wasThere ? `the file ${what}, and those beside it are of one that had content` : undefined;
}

function openForOwner(path: string): DatabaseSync {
	const mask = process.umask(0o077);
	try {
		return new DatabaseSync(path);
	} finally {
		process.umask(mask);
	}
}

/** SQLite makes the files beside the database with its mode. */
function keepForOwner(path: string): void {
	for (const file of [path, `${path}-wal`, `${path}-shm`]) if (isFile(file)) chmodSync(file, 0o600);
}

function isFile(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** What SQLite finds wrong with a database when it looks through it; undefined if nothing. */
export function damageOf(database: DatabaseSync): string | undefined {
	const found = textIn(database.prepare('PRAGMA quick_check(1)').get(), 'quick_check');
	return found === 'ok' ? undefined : found;
}

/** A database in which SQLite finds something wrong. */
export class DamagedDatabase extends Error {}

function unusable(path: string, error: unknown): Error {
	const reason = reasonOf(error);
	if (error instanceof NewerDatabase) {
		return new Error(
			`The database ${path} is of a newer version of the service: ${reason}. Start the newer one, or set SERVICE_DATA to another file.`,
		);
	}
	if (error instanceof DamagedDatabase || reason === 'database disk image is malformed') {
		return new Error(
			`The database ${path} is damaged: ${reason}. Move it away, with the files beside it that have its name (-wal, -shm), and put a copy from before in its place, or begin with an empty one; "sqlite3 ${path} .recover" shows what can still be read.`,
		);
	}
	if (error instanceof ForeignDatabase) {
		return new Error(
			`The database ${path} does not have the tables of this service: ${reason}. They were left as they are. Set SERVICE_DATA to another file, or put a copy of this one from before in its place.`,
		);
	}
	if (error instanceof BrokenCopy) {
		return new Error(
			`The database ${path} was being copied when that was broken off, so its batches may go on in the other database. Run the same copy again: it finishes, or begins anew. To go on with this file where that database is lost: cloud-scraping-service copy --forget --from ${path}`,
		);
	}
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

/** Bytes in the file that nothing takes any more: what is stored next goes there. */
export function freeBytes(database: DatabaseSync): number {
	const pages = numberIn(database.prepare('PRAGMA freelist_count').get(), 'freelist_count');
	return pages * numberIn(database.prepare('PRAGMA page_size').get(), 'page_size');
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
