import { requestStop } from '../api/startAndStop';
import { batchItem } from '../output/items';
import type { Operation } from '../run';
import { stopOnce } from '../sentOnce';
import { taskIdParameter } from '../settings/sharedFields';

/** Stops the running batch of a task and returns it. */
export const stopTask: Operation = {
	entry: {
		name: 'Stop Task',
		value: 'stop',
		description: 'Stop the running batch of a task and keep its rows so far',
		action: 'Stop a task',
	},
	properties: [],

	async execute(run) {
		const taskID = taskIdParameter(run);
		const batch = await stopOnce(
			run,
			taskID,
			async () => await requestStop(run.connection, taskID),
		);
		return [batchItem(batch, run.itemIndex)];
	},
};
