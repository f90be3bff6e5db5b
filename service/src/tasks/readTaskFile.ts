import { hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isMissing, reasonOf } from '../errors/thrown.ts';
import { maxTaskFile, readTaskText, taskFileTooLarge, withLine } from './readTaskText.ts';
import type { Task } from './task.ts';
import { readUtf8 } from './textFile.ts';

/** A task file, as it was read last. */
export interface TaskFile {
	file: string;
	/** The task in it; absent: see `mistake`. */
	task?: Task;
	/** Why there is no task in it, with the path of the mistake in the file. */
	mistake?: string;
	/** The taskID in its text, or, where none can be made out, the one that was there before. */
	taskID?: string;
	/** The same for the same text. */
	hash: string;
	/** What tells whether the file has changed since; empty: it has to be read again. */
	stamp: string;
}

/** Milliseconds in which a file may change again without a new time: so coarse are some file systems. */
const tick = 100;

/**
 * Reads a task file, unless it is the same as `before`. Resolves to undefined if it is gone; whatever
 * else goes wrong is its mistake.
 */
export async function readTaskFile(file: string, before?: TaskFile): Promise<TaskFile | undefined> {
	let text = '';
	let stamp = '';
	try {
		const found = await lstat(file, { bigint: true });
		if (before && before.stamp === stampOf(found)) return before;
		// It may lead to any file of this machine, which the console would show.
		if (found.isSymbolicLink()) throw new Error('It is a link: put the file itself here');
		// Reading from a named pipe would never end.
		if (!found.isFile()) throw new Error('It is not a file');
		if (found.size > maxTaskFile) throw new Error(taskFileTooLarge);
		const isSettled = Date.now() - Number(found.mtimeMs) > tick;
		text = await readUtf8(file);
		stamp = isSettled ? stampOf(found) : '';
	} catch (error) {
		const isThere = !isMissing(error) || (await hasUnreadName(file));
		if (!isThere) return undefined;
		const mistake = isMissing(error)
			? 'Its name is not in UTF-8: give it another'
			: reasonOf(error);
		return { file, taskID: before?.taskID, mistake, hash: '', stamp };
	}
	const same = hash('sha256', text);
	return before?.hash === same
		? { ...before, stamp }
		: { ...taskFileOf(text, file, before), hash: same, stamp };
}

/** Whether a file is there whose name, as that of one from an old archive, is no UTF-8: by what is read of that, nobody finds it. */
async function hasUnreadName(file: string): Promise<boolean> {
	const name = basename(file);
	if (!name.includes('\ufffd')) return false;
	const names: string[] = await readdir(dirname(file)).catch(() => []);
	return names.includes(name);
}

/** What a text is as that of a file. */
export function taskFileOf(
	text: string,
	file: string,
	before?: TaskFile,
): Omit<TaskFile, 'hash' | 'stamp'> {
	const found = readTaskText(text);
	if ('task' in found) return { file, task: found.task, taskID: found.task.taskID };
	const { mistake } = found;
	const [, taskID] = /"taskID"\s*:\s*"([^"]*)"/.exec(text) ?? [];
	return {
		file,
		taskID: taskID ?? before?.taskID,
		mistake: mistake.isSyntax ? withLine(mistake) : mistake.message,
	};
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
	return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
