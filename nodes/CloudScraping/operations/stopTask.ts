import { requestStop } from '../api/startAndStop';
import { batchItem } from '../output/items';
import type { Operation } from '../run';
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
		const batch = await requestStop(run.connection, taskIdParameter(run));
		return [batchItem(batch, run.itemIndex)];
	},
};
