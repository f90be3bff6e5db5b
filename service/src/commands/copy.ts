import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { databaseName, isFolder } from '../settings/checks.ts';
import { readDatabase, readTaskFolder } from '../settings/settings.ts';
import { copyStore, forgetCopy } from '../store/copyStore.ts';
import { tableWords } from '../store/tableWords.ts';
import { readTaskTexts } from '../tasks/taskTexts.ts';
import type { Flags } from './commandLine.ts';
import { told } from './database.ts';

/** What is said to have been copied. */
const said = [
	...(['batches', 'jobs', 'rows', 'failed_pages', 'selectors', 'batch_log'] as const),
	...(['deduplications', 'returned_rows', 'api_keys', 'tasks'] as const),
];

/**
 * Copies what a service has kept in a file of SQLite, and its tasks, into PostgreSQL; `forget`: takes from the file
 * only the mark of a copy that was broken off. Resolves to the exit code.
 */
export function copy(
	{ from, forget, flags }: { from: string; forget: boolean; flags: Flags },
	env: NodeJS.ProcessEnv,
): Promise<number> {
	return told(env, flags, async () => {
		const file = resolve(isFolder(from) ? join(from, databaseName) : from);
		if (forget) return forgetBrokenCopy(file);
		const database = readDatabase(env, flags);
		const folder = resolve(readTaskFolder(env, { ...flags, data: file }));
		const tasks = existsSync(folder) ? await readTaskTexts(folder) : [];
		const { copied, location, ended } = await copyStore(file, { database, tasks });
		const lines = copied
			? [
					`${file} and the tasks of ${folder} are now in ${location}:`,
					...said.map(
						(table) =>
							`${String(copied.counts.get(table) ?? 0).padStart(12)}  ${tableWords[table][1]}`,
					),
					`All of it was read back and is equal; so are the rows of each of ${copied.batches} batches.`,
				]
			: [`${file} had been copied to ${location} before, so nothing was copied now.`];
		process.stdout.write(
			[
				...lines,
				copied
					? `Batches that had not ended, ${ended} of them, go on there when a service starts; in ${file} they were stopped.`
					: `Batches of ${file} that had not ended then go on there; ${ended} of them were still to be stopped here, and are now.`,
				'Sessions of the console were not copied: whoever uses it signs in again. API keys stay the same.',
				'',
			].join('\n'),
		);
	});
}

function forgetBrokenCopy(file: string): void {
	if (!existsSync(file)) throw new Error(`There is no file ${file}. Name one with --from.`);
	forgetCopy(file);
	process.stdout.write(
		`Services start on ${file} again. Where its copy has arrived after all, its batches that have not ended go on in both: stop them there, or here.\n`,
	);
}
