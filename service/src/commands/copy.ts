import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { databaseName, isFolder } from '../settings/checks.ts';
import { readDatabase, readTaskFolder } from '../settings/settings.ts';
import { copyStore } from '../store/copyStore.ts';
import { tableWords } from '../store/tableWords.ts';
import { readTaskTexts } from '../tasks/taskTexts.ts';
import type { Flags } from './commandLine.ts';
import { told } from './database.ts';

/** What is said to have been copied. */
const said = [
	...(['batches', 'jobs', 'rows', 'failed_pages', 'selectors', 'batch_log'] as const),
	...(['deduplications', 'returned_rows', 'api_keys', 'tasks'] as const),
];

/** Copies what a service has kept in a file of SQLite, and its tasks, into PostgreSQL. Resolves to the exit code. */
export function copy(
	{ from, flags }: { from: string; flags: Flags },
	env: NodeJS.ProcessEnv,
): Promise<number> {
	return told(env, flags, async () => {
		const database = readDatabase(env, flags);
		const file = resolve(isFolder(from) ? join(from, databaseName) : from);
		const folder = resolve(readTaskFolder(env, { ...flags, data: file }));
		const tasks = existsSync(folder) ? await readTaskTexts(folder) : [];
		const { counts, batches, location, ended } = await copyStore(file, { database, tasks });
		const lines = said.map(
			(table) => `${String(counts.get(table) ?? 0).padStart(12)}  ${tableWords[table][1]}`,
		);
		process.stdout.write(
			[
				`${file} and the tasks of ${folder} are now in ${location}:`,
				...lines,
				`All of it was read back and is equal; so are the rows of each of ${batches} batches.`,
				endedIn(file, ended),
				'Sessions of the console were not copied: whoever uses it signs in again. API keys stay the same.',
				'',
			].join('\n'),
		);
	});
}

function endedIn(file: string, ended: number | undefined): string {
	if (ended === undefined) {
		return `Batches that have not ended go on there. In ${file} they could not be ended: start no service on it any more, or they go on in both.`;
	}
	return `Batches that had not ended, ${ended} of them, go on there when a service starts; in ${file} they were stopped.`;
}
