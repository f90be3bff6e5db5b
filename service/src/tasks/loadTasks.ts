import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTask } from './checkTask.ts';
import type { Task } from './task.ts';

/** The tasks of a service by identifier, and the files that hold none. */
export interface LoadedTasks {
	tasks: Map<string, Task>;
	mistakes: { file: string; message: string }[];
}

/**
 * Reads every `*.json` of a folder. A bad file does not keep the others from loading: it ends up in
 * `mistakes`, with the path of what is wrong. Throws when the folder itself cannot be read.
 */
export function loadTasks(folder: string): LoadedTasks {
	const loaded: LoadedTasks = { tasks: new Map(), mistakes: [] };
	for (const file of taskFiles(folder)) {
		try {
			const task = checkTask(readJson(join(folder, file)));
			if (loaded.tasks.has(taskKey(task.taskID))) {
				throw new Error(`/taskID "${task.taskID}" is the id of another task already`);
			}
			loaded.tasks.set(taskKey(task.taskID), task);
		} catch (error) {
			loaded.mistakes.push({
				file: join(folder, file),
				message: error instanceof Error ? error.message : String(error),
			});
		}
	}
	return loaded;
}

/** Editors of some systems put a byte order mark before the text. */
function readJson(path: string): unknown {
	return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
}

function taskFiles(folder: string): string[] {
	try {
		return readdirSync(folder)
			.filter((name) => name.endsWith('.json'))
			.sort();
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(
			`SERVICE_TASKS is "${folder}", which cannot be read: ${reason}. Set it to a folder of task files that can be read.`,
		);
	}
}

/** UUIDs are compared without regard to case. */
export function taskKey(taskID: string): string {
	return taskID.toLowerCase();
}
