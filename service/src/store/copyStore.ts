import { pino } from 'pino';
import { status } from './batch.ts';
import type { Copied } from './copiedTables.ts';
import { copyIntoPostgres } from './postgres/copyInto.ts';
import { locationOf } from './postgres/location.ts';
import { openCopySource } from './sqlite/copySource.ts';
import { openSqlite } from './sqlite/openSqlite.ts';
import type { TaskText } from './taskStore.ts';

/** What was copied, and where it is now. */
export interface CopiedStore extends Copied {
	location: string;
	/** Batches of the file that had not ended, and have now; undefined: they could not be ended there. */
	ended: number | undefined;
}

/**
 * Copies what a file of SQLite holds, with these tasks, into an empty database of PostgreSQL: all of it, or nothing.
 * Batches that have not ended go on there, so they end in the file: whoever starts a service on it once more would
 * have them go on in both. Throws an Error for people.
 */
export async function copyStore(
	file: string,
	{ database, tasks }: { database: string; tasks: TaskText[] },
): Promise<CopiedStore> {
	const location = locationOf(database);
	const source = openCopySource(file, tasks);
	const copied = await copyIntoPostgres(database, source).finally(() => source.close());
	const ended = await endUnfinished(file, location).catch(() => undefined);
	return { ...copied, location, ended };
}

async function endUnfinished(file: string, location: string): Promise<number> {
	const store = openSqlite(file, { log: pino({ level: 'silent' }) });
	try {
		const batches = await store.batches.unfinished();
		for (const { batch } of batches) {
			await store.batches.end(
				batch.id,
				status.stopped,
				`It was copied to ${location}, and goes on there.`,
			);
		}
		return batches.length;
	} finally {
		await store.close();
	}
}
