import type { FastifyBaseLogger } from 'fastify';
import { openPostgres } from './postgres/openPostgres.ts';
import { openSqlite } from './sqlite/openSqlite.ts';
import type { Store } from './stores.ts';

/** Where a service keeps what it knows. */
export interface StorePlace {
	/** Path of a file of SQLite. */
	data: string;
	/** Address of a database of PostgreSQL, which takes its place. */
	database?: string;
}

interface Options {
	log: FastifyBaseLogger;
	/** Those of new batches are larger than a number of JavaScript holds exactly. */
	largeIdentifiers?: boolean;
}

/** Opens the database of a service, or makes it. Throws an Error for people where it cannot be used. */
export async function openStore({ data, database }: StorePlace, options: Options): Promise<Store> {
	return database === undefined ? openSqlite(data, options) : openPostgres(database, options);
}

/** Opens one that is gone when it is closed. */
export function openTemporaryStore(options: Options): Store {
	return openSqlite(':memory:', options);
}
