import type { Copied } from './copiedTables.ts';
import { copyIntoPostgres } from './postgres/copyInto.ts';
import { locationOf } from './postgres/location.ts';
import { openCopySource } from './sqlite/copySource.ts';
import type { TaskText } from './taskStore.ts';

/**
 * Copies what a file of SQLite holds, with these tasks, into an empty database of PostgreSQL: all of it, or nothing.
 * The file is only read. Resolves to what was copied, and where it is now; throws an Error for people.
 */
export async function copyStore(
	file: string,
	{ database, tasks }: { database: string; tasks: TaskText[] },
): Promise<Copied & { location: string }> {
	const source = openCopySource(file, tasks);
	try {
		return { ...(await copyIntoPostgres(database, source)), location: locationOf(database) };
	} finally {
		source.close();
	}
}
