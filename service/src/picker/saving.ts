import { basename } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { reasonOf } from '../errors/thrown.ts';
import type { Task } from '../tasks/task.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { pointedFor } from './draft.ts';
import type { PickerSession } from './session.ts';

/**
 * Writes the task of a session into its file, or a new one; it counts at once. Throws a ServiceError for
 * people, also where the file is another one by now than was opened: nobody's work is overwritten unseen.
 */
export async function save(
	session: Pick<PickerSession, 'draft' | 'fileHash' | 'saved'>,
	task: Task,
	{ tasks, log }: { tasks: Tasks; log: FastifyBaseLogger },
): Promise<void> {
	session.fileHash = await tasks.inTurn(async () => {
		const file = tasks.findLoaded(task.taskID)?.file;
		const name = file === undefined ? tasks.freeName(task.name) : basename(file);
		const text = `${JSON.stringify(task, undefined, 2)}\n`;
		try {
			return await tasks.save({ name, text, before: session.fileHash }, log);
		} catch (error) {
			throw new ServiceError('conflict', `Nothing was saved. ${reasonOf(error)}`);
		}
	});
	session.saved = pointedFor(session.draft);
}
