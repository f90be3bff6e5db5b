import { openSqlite, type SqliteOptions } from './sqlite/openSqlite.ts';
import type { Store } from './stores.ts';

/** Where a service keeps what it knows. */
export interface StorePlace {
	/** Path of a file of SQLite. */
	data: string;
}

/** Opens the database of a service, or makes it. Throws an Error for people where it cannot be used. */
export async function openStore({ data }: StorePlace, options: SqliteOptions): Promise<Store> {
	return await Promise.resolve(openSqlite(data, options));
}

/** Opens one that is gone when it is closed. */
export function openTemporaryStore(options: SqliteOptions): Store {
	return openSqlite(':memory:', options);
}
