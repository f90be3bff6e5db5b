import { resolve } from 'node:path';
import { readDatabase } from '../settings/settings.ts';
import type { TaskText } from '../store/taskStore.ts';
import { compareWithFolder, writeExported, type Exported } from '../tasks/exportTasks.ts';
import { compareTasks } from '../tasks/importTasks.ts';
import { readTaskText } from '../tasks/readTaskText.ts';
import { readTaskTexts } from '../tasks/taskTexts.ts';
import type { Flags } from './commandLine.ts';
import { inDatabase, told } from './database.ts';
import { shown } from './table.ts';

/** Puts the task files of a folder into the database, and says of each what is new. Resolves to the exit code. */
export function importFolder(
	{ folder, flags }: { folder: string; flags: Flags },
	env: NodeJS.ProcessEnv,
): Promise<number> {
	return told(env, flags, async () => {
		const address = readDatabase(env, flags);
		const texts = await readTaskTexts(resolve(folder));
		if (texts.length === 0) throw new Error(`There is no task file in ${resolve(folder)}.`);
		await inDatabase(address, async ({ tasks, location }) => {
			const found = await tasks.putAll((stored) => compareTasks(texts, stored));
			for (const [is, each] of [
				['new    ', found.added],
				['changed', found.changed],
				['equal  ', found.equal],
			] as const) {
				for (const text of each) say(is, text.name, text);
			}
			process.stdout.write(
				`${location}: ${found.added.length} new, ${found.changed.length} changed, ${found.equal.length} equal.\n`,
			);
		});
	});
}

/** Writes the tasks of the database into a folder, and says of each what is new. Resolves to the exit code. */
export function exportFolder(
	{ folder, overwrite, flags }: { folder: string; overwrite: boolean; flags: Flags },
	env: NodeJS.ProcessEnv,
): Promise<number> {
	return told(env, flags, async () => {
		const address = readDatabase(env, flags);
		await inDatabase(address, async ({ tasks }) => {
			const exported = await compareWithFolder(await tasks.read(), resolve(folder));
			const different = exported.filter(({ is }) => is === 'different');
			if (different.length > 0 && !overwrite) throw new Error(refusal(different));
			await writeExported(exported, resolve(folder));
			const words = { new: 'new    ', equal: 'equal  ', different: 'changed' };
			for (const each of exported) say(words[each.is], each.path, each);
			if (exported.length === 0) process.stdout.write('There is no task in the database.\n');
		});
	});
}

function refusal(different: Exported[]): string {
	return [
		'Nothing was written: these files hold another text of the same task:',
		...different.map(({ path, name }) => `  ${path} (${name} in the database)`),
		'Name another folder, or have them replaced with --overwrite.',
	].join('\n');
}

function say(is: string, file: string, { text, taskID }: TaskText): void {
	const read = readTaskText(text);
	const name = 'task' in read ? read.task.name : 'no task for this version of the service';
	process.stdout.write(`${is}  ${shown(`${file}: ${name} (${taskID})`)}\n`);
}
