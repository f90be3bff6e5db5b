import type { IDisplayOptions, INodeExecutionData } from 'n8n-workflow';

import { describeMore, refusesStop, renamed, saysBadRequest, saysNotFound } from '../api/errors';
import { nothingRuns } from '../api/nothingRuns';
import { requestStop } from '../api/startAndStop/requests';
import { remark } from '../hints';
import { batchToItem } from '../output/items';
import type { Operation, Run } from '../run';
import { stopOnce } from '../sentOnce';
import { chosen, optionsOf } from '../settings/fieldValues';
import type { Choice } from '../settings/fieldValues';
import { taskIdParameter } from '../settings/sharedFields';
import { simplifyProperty } from '../settings/simplifySettings';

const showOnlyForStop: IDisplayOptions = { show: { operation: ['stop'] } };

const ifNothingRuns: Choice<'continue' | 'error'> = {
	displayName: 'If Nothing Runs',
	name: 'ifNothingRuns',
	type: 'options',
	options: [
		{
			name: 'Continue',
			value: 'continue',
			description: 'Pass on the input item, with "stopped": false added',
		},
		{ name: 'Fail', value: 'error' },
	],
	default: 'error',
	description: 'What to do when the task has no waiting or running batch',
};

const orContinue = `If it is fine that nothing was running, set the option '${ifNothingRuns.displayName}' to 'Continue'.`;

/** Stops the running batch of a task and returns it. */
export const stopTask: Operation = {
	entry: {
		name: 'Stop Task',
		value: 'stop',
		description: 'Stop the running batch of a task and keep its rows so far',
		action: 'Stop task',
	},
	properties: [
		simplifyProperty(showOnlyForStop),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions: showOnlyForStop,
			options: [ifNothingRuns],
		},
	],

	async execute(run) {
		const taskID = taskIdParameter(run);
		const toItem = batchToItem(run);
		const mayContinue = chosen(optionsOf(run), ifNothingRuns) === 'continue';
		const stopped = await stopOnce(
			run,
			taskID,
			async () => await requestStop(run.connection, taskID),
		).catch(async (error: Error) => {
			// The title of any other code says more than that.
			const isAsked = mayContinue || saysBadRequest(error);
			if (isAsked && (await nothingRuns(run.connection, taskID, error))) {
				if (mayContinue) return 'nothingRan' as const;
				throw renamed(error, hasNone(taskID), `Nothing was stopped. ${orContinue}`);
			}
			if (!mayContinue && refusesStop(error) && !saysNotFound(error))
				describeMore(error, orContinue);
			throw error;
		});
		if (stopped === 'nothingRan') {
			remark(run, `${hasNone(taskID)}: nothing was stopped.`, {
				kind: 'task',
				id: taskID,
				all: 'have no waiting or running batch, and nothing was stopped',
			});
			return [notStopped(run)];
		}
		if (stopped) return [toItem(stopped)];
		remark(
			run,
			`The service accepted the stop of task ${taskID}, but did not say which batch it stopped.`,
			{
				kind: 'task',
				id: taskID,
				all: 'were stopped, but the service did not say which batches',
			},
		);
		return [{ json: { taskID, statusName: 'unknown' }, pairedItem: { item: run.itemIndex } }];
	},
};

function hasNone(taskID: string): string {
	return `Task ${taskID} has no waiting or running batch`;
}

/** The input item, which says that there was nothing to stop. */
function notStopped({ context, itemIndex }: Run): INodeExecutionData {
	const item = context.getInputData()[itemIndex];
	return { ...item, json: { ...item.json, stopped: false }, pairedItem: { item: itemIndex } };
}
