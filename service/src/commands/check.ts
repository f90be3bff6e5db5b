import { readTaskFolder } from '../settings/settings.ts';
import { unknownSettings } from '../settings/unknownSettings.ts';
import { TaskFiles } from '../tasks/taskFiles.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import type { Flags } from './commandLine.ts';
import { reasonFor } from './reasonFor.ts';
import { shown } from './table.ts';

const otherTasks =
	'SERVICE_DATABASE is set: its tasks stand in that database, and these files do not count until "tasks import" puts them there.';

/** Says of each file of SERVICE_TASKS what is in it, or what is wrong. Resolves to the exit code. */
export async function check(env: NodeJS.ProcessEnv, flags: Flags = {}): Promise<number> {
	try {
		const folder = readTaskFolder(env, flags);
		const unknown = unknownSettings(env);
		if (unknown !== undefined) process.stderr.write(`${unknown}\n`);
		if (env.SERVICE_DATABASE) process.stderr.write(`${otherTasks}\n`);
		const { tasks, badFiles } = await TaskFiles.open(folder);
		const lines = [
			...tasks.map(({ file, task }) => ({
				file,
				says: `${task.name} (${task.taskID})`,
				is: 'ok ',
			})),
			...badFiles.map(({ file, message }) => ({ file, says: message, is: 'bad' })),
		].sort((a, b) => (a.file < b.file ? -1 : 1));
		for (const { file, says, is } of lines) {
			process.stdout.write(`${is}  ${shown(`${file}: ${withoutPasswords(says)}`)}\n`);
		}
		if (lines.length === 0) process.stdout.write(`There is no task file in ${folder}.\n`);
		return badFiles.length === 0 ? 0 : 1;
	} catch (error) {
		process.stderr.write(`${reasonFor(error, flags)}\n`);
		return 1;
	}
}
