import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the local service of a playground has its tasks. */
export interface TaskFolder {
	path: string;
	/** Whether these are somebody's own, and not the repository's, which the demo workflows use. */
	isOwn: boolean;
}

/** The folder that `SERVICE_TASKS` names, or else `tasks` in the state folder, or else the repository's. */
export function taskFolderOf(root: string, stateFolder: string, named?: string): TaskFolder {
	const own = join(stateFolder, 'tasks');
	if (named) return { path: named, isOwn: true };
	if (statSync(own, { throwIfNoEntry: false })?.isDirectory()) return { path: own, isOwn: true };
	return { path: join(root, 'service', 'tasks'), isOwn: false };
}
