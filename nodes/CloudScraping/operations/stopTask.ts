import { stopTask as requestStop } from '../api/tasks';
import { batchItem } from './batchItem';
import type { Operation } from './operation';
import { taskIdParameter } from './parameters';

/** Stops the running batch of a task and returns it. */
export const stopTask: Operation = {
	description: [],

	async execute(run) {
		const batch = await requestStop(run.connection, taskIdParameter(run));
		return [batchItem(batch, run.itemIndex)];
	},
};
