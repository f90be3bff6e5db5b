import { reasonOf } from '../../errors/thrown.ts';
import { PerhapsCopied } from '../copiedTables.ts';
import { schema } from './connections.ts';
import { codeOf, DatabaseAway, isOfFullDisk } from './outage.ts';

/** Tables of a later service. */
export class NewerTables extends Error {}

/** Tables that are others than their version says, such as those of another program. */
export class ForeignTables extends Error {}

/** What the service sets for its connections does not arrive, as through a pooler that leaves it out. */
export class IgnoredSettings extends Error {}

/** A PostgreSQL that is too old. */
export class OldServer extends Error {}

/** An encoding that lacks characters. */
export class NarrowEncoding extends Error {}

/** Tables of an earlier service that is at work on them. */
export class TablesInUse extends Error {}

/** Codes of PostgreSQL for tables and columns that are not there, or are there already. */
const foreignCodes = new Set<string | undefined>(['42P01', '42703', '42P07']);

/** How the codes of PostgreSQL begin, which says them itself: it was reached. */
const ofServer = /^(\d|F0|HV|P0|XX)/;

/** Rights that a user of the database lacks on its tables. */
export class LackOfRights extends Error {}

/** Rights that a user of the database lacks on a schema in which tables are to be made. */
export class LackOfSchema extends Error {}

/** A database that holds something, where an empty one is wanted. */
export class NotEmpty extends Error {}

/** What has arrived in a database is not what was sent. */
export class UnequalCopy extends Error {}

/** What cannot be used, as people are told: where it is, why, and what to do. */
export function unusable(location: string, error: unknown): Error {
	return new Error(wordsFor(location, error), { cause: error });
}

function wordsFor(location: string, error: unknown): string {
	// Of several addresses that a name has, each has failed for itself.
	const reason = reasonOf(error) || String(codeOf(error));
	const database = `The database ${location}`;
	if (error instanceof NewerTables) {
		return `${database} is of a newer version of the service: ${reason}. Update this service, or set SERVICE_DATABASE to another database.`;
	}
	if (error instanceof TablesInUse) {
		return `${database} is of an earlier version of the service, and processes of that version use it. Stop them, then start this one again, which brings it up to date.`;
	}
	// What has come of it is told by what it comes from.
	const code = codeOf(error instanceof DatabaseAway ? error.cause : error) ?? '';
	if (error instanceof ForeignTables || foreignCodes.has(code)) {
		return `${database} does not have the tables of this service in its schema ${schema}: ${reason}. They were left as they are. Set SERVICE_DATABASE to another database, or restore this one.`;
	}
	if (error instanceof IgnoredSettings) {
		return `${database} does not get the settings with which the service connects (options): ${reason}. A pooler leaves them out, such as PgBouncer with ignore_startup_parameters=options. Nothing was changed. Set SERVICE_DATABASE to the address of PostgreSQL itself.`;
	}
	if (error instanceof NotEmpty) {
		return `${database} is not empty: it holds ${reason}. Nothing was copied. Set SERVICE_DATABASE to a new one (createdb) that holds nothing: no service was started on it, nor tasks imported. The copy brings the tasks along.`;
	}
	if (error instanceof PerhapsCopied) {
		return `${database} could not be reached any more when all was copied: ${reason}. Whether it has arrived is not known. Run the same command again: it finishes the copy, or copies anew. Until then no service starts on the file.`;
	}
	if (error instanceof UnequalCopy) {
		return `${database} has not got what was sent: ${reason}. Nothing was kept of it. Try again; if it stays so, report it.`;
	}
	if (error instanceof OldServer) {
		return `${database} is kept by PostgreSQL ${reason}. Set SERVICE_DATABASE to one of PostgreSQL 13 or later.`;
	}
	if (error instanceof NarrowEncoding) {
		return `${database} cannot hold every text, for its encoding is ${reason}. Set SERVICE_DATABASE to one with the encoding UTF8 (createdb --encoding=UTF8 --template=template0).`;
	}
	if (error instanceof LackOfRights) {
		return `${database} does not let the user of SERVICE_DATABASE work on ${reason}. Give it SELECT, INSERT, UPDATE and DELETE on all tables of the schema ${schema}, or make it the owner of that.`;
	}
	if (isOfFullDisk(error)) return `${database} has no room: its disk is full. Make room there.`;
	switch (error instanceof LackOfSchema ? '42501' : code) {
		case '28000':
		case '28P01':
			return `${database} lets nobody in with the user and the password of SERVICE_DATABASE: ${reason}. Correct them there.`;
		case '3D000':
			return `${database} does not exist: ${reason}. Create it (createdb), or set SERVICE_DATABASE to one that exists.`;
		case '42501':
			return `${database} cannot be used: ${reason}. Give the user of SERVICE_DATABASE the right to create a schema there (GRANT CREATE ON DATABASE), or make it the owner of the schemas ${schema} and ${schema}_queue.`;
		case '53300':
			return `${database} has no connection left: ${reason}. Raise max_connections of PostgreSQL, or start fewer services.`;
		default:
			if (ofServer.test(code)) {
				return `${database} cannot be used: ${reason}. See to PostgreSQL, or set SERVICE_DATABASE to another address.`;
			}
			return `${database} cannot be reached: ${reason}. See that PostgreSQL runs there and can be reached from here, or set SERVICE_DATABASE to another address.`;
	}
}
