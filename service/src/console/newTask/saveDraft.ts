import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { ServiceError } from '../../errors/serviceError.ts';
import { reasonOf } from '../../errors/thrown.ts';
import type { Task } from '../../tasks/task.ts';
import { openTextFile } from '../../tasks/textFile.ts';
import type { ConsoleParts } from '../consoleParts.ts';

/** Letters of a file's name that come from the task's. */
const longestName = 60;

/**
 * Writes a task into its file, or a new one, and returns the hash of what stands there now; it counts at
 * once. `fileHash`: of the file as it was opened. Throws a ServiceError for people, also where the file is
 * another one by now: nobody's work is overwritten unseen.
 */
export function saveDraft(
	parts: ConsoleParts,
	task: Task,
	fileHash: string | undefined,
	log: FastifyBaseLogger,
): Promise<string> {
	return parts.tasks.inTurn(() => save(parts, task, fileHash, log));
}

async function save(
	{ tasks, settings }: ConsoleParts,
	task: Task,
	fileHash: string | undefined,
	log: FastifyBaseLogger,
): Promise<string> {
	const known = tasks.findLoaded(task.taskID);
	const isTaken = (name: string) => tasks.fileNamed(name) !== undefined;
	const path = known?.file ?? join(settings.tasks, freeFileName(task.name, isTaken));
	try {
		const now = await openTextFile(path);
		if (now?.hash !== fileHash) throw new Error(changed);
		return await tasks.write(path, `${JSON.stringify(task, undefined, 2)}\n`, now, log);
	} catch (error) {
		throw new ServiceError('conflict', `Nothing was saved. ${reasonOf(error)}`);
	}
}

const changed =
	'The file of this task has been changed, or is gone, since it was opened here. Open the task again.';

/** A task file's name that no other one has, and that says what the task is called. */
export function freeFileName(name: string, isTaken: (name: string) => boolean): string {
	const plain = name
		.normalize('NFKD')
		.replace(/[^\w]+/g, '-')
		.replace(/^[-_]+|[-_]+$/g, '')
		.toLowerCase()
		.slice(0, longestName);
	const start = plain === '' ? 'task' : plain;
	let free = `${start}.json`;
	for (let number = 2; isTaken(free); number += 1) free = `${start}-${number}.json`;
	return free;
}
