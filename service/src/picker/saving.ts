import type { FastifyBaseLogger } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { reasonOf } from '../errors/thrown.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskFiles } from '../tasks/taskFiles.ts';
import { openTextFile } from '../tasks/textFile.ts';
import { pointedFor } from './draft.ts';
import type { PickerSession } from './session.ts';

/**
 * Writes the task of a session into its file, or a new one; it counts at once. Throws a ServiceError for
 * people, also where the file is another one by now than was opened: nobody's work is overwritten unseen.
 */
export async function save(
	session: Pick<PickerSession, 'draft' | 'fileHash' | 'saved'>,
	task: Task,
	{ tasks, log }: { tasks: TaskFiles; log: FastifyBaseLogger },
): Promise<void> {
	session.fileHash = await tasks.inTurn(async () => {
		const path = tasks.findLoaded(task.taskID)?.file ?? tasks.freePath(task.name);
		try {
			const now = await openTextFile(path);
			if (now?.hash !== session.fileHash) throw new Error(changed);
			return await tasks.write(path, `${JSON.stringify(task, undefined, 2)}\n`, now, log);
		} catch (error) {
			throw new ServiceError('conflict', `Nothing was saved. ${reasonOf(error)}`);
		}
	});
	session.saved = pointedFor(session.draft);
}

const changed =
	'The file of this task has been changed, or is gone, since it was opened here. Open the task again.';
