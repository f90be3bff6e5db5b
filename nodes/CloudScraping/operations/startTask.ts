import type { IDisplayOptions } from 'n8n-workflow';

import { requestStart } from '../api/startAndStop/requests';
import type { Batch, StartRequest } from '../api/wire';
import { batchToItem } from '../output/items';
import type { Operation, Run } from '../run';
import { startOnce } from '../sentOnce';
import { meantStepValue } from '../settings/meantStepValue';
import { simplifyProperty } from '../settings/simplifySettings';
import { startProperties, startRequest, namedSteps } from '../settings/startSettings';

const showOnlyForStart: IDisplayOptions = { show: { operation: ['start'] } };

/** Starts a task and returns its new batch at once. */
export const startTask: Operation = {
	entry: {
		name: 'Start Task',
		value: 'start',
		description: 'Start a task and return its new batch at once',
		action: 'Start task',
	},
	properties: [...startProperties(showOnlyForStart), simplifyProperty(showOnlyForStart)],

	async execute(run) {
		const toItem = batchToItem(run);
		return [toItem(await startTaskOnce(run, startRequest(run), false))];
	},
};

/** Starts the task, once in an execution. */
export async function startTaskOnce(
	run: Run,
	request: StartRequest,
	mayBeStopped: boolean,
): Promise<Batch> {
	return await startOnce(
		run,
		request.taskID,
		mayBeStopped,
		async () =>
			await requestStart(run.connection, request, (msg) =>
				meantStepValue(namedSteps(run), msg, request.taskID),
			),
	);
}
