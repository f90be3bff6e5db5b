import type { IDisplayOptions } from 'n8n-workflow';

import { requestStart } from '../api/tasks';
import type { Batch, StartRequest } from '../api/wire';
import { batchItem } from '../output/batchItem';
import { startOnce } from '../retryOnFail';
import type { Run } from '../run';
import { runSettingsProperties, startRequest } from '../settings/startSettings';
import type { Operation } from './operation';

const showOnlyForStart: IDisplayOptions = { show: { operation: ['start'] } };

/** Starts a run and returns its new batch at once. */
export const startTask: Operation = {
	entry: {
		name: 'Start Task',
		value: 'start',
		description: 'Start a run of a task and return its new batch at once',
		action: 'Start a task',
	},
	properties: runSettingsProperties(showOnlyForStart),

	async execute(run) {
		const batch = await startTaskOnce(run, startRequest(run));
		return [batchItem(batch, run.itemIndex)];
	},
};

/** Starts the task, once in an execution. */
export async function startTaskOnce(run: Run, request: StartRequest): Promise<Batch> {
	return await startOnce(run, async () => await requestStart(run.connection, request));
}
