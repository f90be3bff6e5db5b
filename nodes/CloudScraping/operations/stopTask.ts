import { stopTask as requestStop } from '../api/tasks';
import { batchItem } from '../output/batchItem';
import type { Operation } from '../run';
import { taskIdParameter } from '../settings/parameters';

/** Stops the running batch of a task and returns it. */
export const stopTask: Operation = {
	description: [],

	async execute(run) {
		const batch = await requestStop(run.connection, taskIdParameter(run));
		return [batchItem(batch, run.itemIndex)];
	},
};
