import { pino } from 'pino';
import { status } from './batch.ts';
import { reasonOf } from '../errors/thrown.ts';
import { CopiedBefore, PerhapsCopied, type Copied } from './copiedTables.ts';
import { copyIntoPostgres } from './postgres/copyInto.ts';
import { locationOf } from './postgres/location.ts';
import { markFor, takeMark } from './sqlite/copyMark.ts';
import { openCopySource } from './sqlite/copySource.ts';
import { openSqlite } from './sqlite/openSqlite.ts';
import type { TaskText } from './taskStore.ts';

/** What was copied, and where it is now. */
export interface CopiedStore {
	/** Undefined: it had been copied before, and only its batches have ended now. */
	copied: Copied | undefined;
	location: string;
	/** Batches of the file that had not ended, and have now. */
	ended: number;
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
	const source = openCopySource(file, location, tasks);
	const copied = await copyIntoPostgres(database, source)
		.finally(() => source.close())
		.catch((error: unknown) => {
			if (error instanceof CopiedBefore) return undefined;
			// Where this one or an earlier one may have arrived, the batches may go on there.
			const mayBeThere = error instanceof PerhapsCopied || source.wasBrokenOff;
			if (!mayBeThere) takeMark(file, markFor(location));
			throw error;
		});
	const ended = source.goesOn || source.wasBrokenOff ? await endUnfinished(file, location) : 0;
	return { copied, location, ended };
}

/** Has services start on a file again whose copy was broken off: that is lost. */
export function forgetCopy(file: string): void {
	try {
		takeMark(file);
	} catch (error) {
		throw new Error(
			`${file} was left as it is: ${reasonOf(error)}. Its copy, or another program, is still at work on it: end that first.`,
			{ cause: error },
		);
	}
}

async function endUnfinished(file: string, location: string): Promise<number> {
	try {
		const ended = await endIn(file, location);
		takeMark(file);
		return ended;
	} catch (error) {
		throw new Error(
			`${file} is now in ${location}, but its batches that have not ended could not be ended in it: ${reasonOf(error)} See that nobody else uses the file, and run the same command again; until then no service starts on it.`,
			{ cause: error },
		);
	}
}

async function endIn(file: string, location: string): Promise<number> {
	const store = openSqlite(file, { log: pino({ level: 'silent' }), isCopied: true });
	try {
		const batches = await store.batches.unfinished();
		for (const { id } of batches) {
			await store.batches.end(
				id,
				status.stopped,
				`It was copied to ${location}, and goes on there.`,
			);
		}
		return batches.length;
	} finally {
		await store.close();
	}
}
