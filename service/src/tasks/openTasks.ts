import { existsSync } from 'node:fs';
import type { TaskStore } from '../store/taskStore.ts';
import { demoTasks } from './demoTasks.ts';
import { StoredTasks } from './storedTasks.ts';
import { TaskFiles } from './taskFiles.ts';
import { readTaskTexts } from './taskTexts.ts';
import type { Tasks } from './tasks.ts';

/**
 * Opens the tasks of a service: those of the database, where it keeps any, else those of a folder. A database
 * that has never had tasks gets those of the folder, or the demo tasks where there is none. Throws an Error
 * for people.
 */
export async function openTasks(store: TaskStore | undefined, folder: string): Promise<Tasks> {
	if (!store) return TaskFiles.open(folder);
	if (!(await store.hasBegun())) {
		await store.begin(await readTaskTexts(existsSync(folder) ? folder : demoTasks));
	}
	return StoredTasks.open(store);
}
