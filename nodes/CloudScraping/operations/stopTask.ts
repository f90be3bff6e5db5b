import { requestStop } from '../api/startAndStop';
import { batchItem } from '../output/items';
import { remark } from '../hints';
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
		if (batch) return [batchItem(batch, run.itemIndex)];
		remark(
			run,
			`The service has accepted the stop of task ${taskID}, but not said which batch it is.`,
		);
		return [{ json: { taskID, statusName: 'unknown' }, pairedItem: { item: run.itemIndex } }];
	},
};
