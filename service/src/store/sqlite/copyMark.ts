import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { numberIn } from '../columns.ts';

// Batches that have not ended go on where a file was copied to. From just before its copy is complete until they
// have ended in the file, they would go on in both: so long the file has a mark, as SQLite's "application_id", and
// no service starts on it.

/** A file whose copy was broken off at its end: whether that has arrived, who copies once more finds out. */
export class BrokenCopy extends Error {}

/** The mark of a file that is copied to this place. */
export function markFor(location: string): number {
	return (createHash('sha256').update(location).digest().readUInt32BE() >>> 1) | 1;
}

/** The mark that a file has; 0: none. */
export function markOf(database: DatabaseSync): number {
	return numberIn(database.prepare('PRAGMA application_id').get(), 'application_id');
}

export function setMark(database: DatabaseSync, mark: number): void {
	database.exec(`PRAGMA application_id = ${mark}`);
}

/** Takes the mark from a file, if it has one; `mark`: only this one. */
export function takeMark(path: string, mark?: number): void {
	const database = new DatabaseSync(path);
	try {
		const found = markOf(database);
		if (found !== 0 && (mark ?? found) === found) setMark(database, 0);
	} finally {
		database.close();
	}
}
