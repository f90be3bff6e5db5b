import { ServiceError } from '../errors/serviceError.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import type { Task } from '../tasks/task.ts';
import type { Runs } from './scraping.ts';

/** The task of an identifier; throws a ServiceError where there is none, or its file is bad. */
export function findTask({ tasks }: Pick<Runs, 'tasks'>, taskID: string): Task {
	const task = tasks.find(taskID);
	if (task) return task;
	const bad = tasks.findBad(taskID);
	if (bad) {
		const mistake = withoutPasswords(bad.message);
		throw new ServiceError('conflict', `The task file ${bad.file} is bad: ${mistake}.`);
	}
	throw new ServiceError('notFound', `There is no task "${taskID.slice(0, 100)}".`);
}
