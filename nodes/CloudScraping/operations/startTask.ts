import type { IDisplayOptions } from 'n8n-workflow';

import {
	encodeParams,
	paramsFromFields,
	paramsFromJson,
	StepValueError,
} from '../settings/actionParams';
import { startTask as requestStart } from '../api/tasks';
import type { ActionParam, Batch, StartRequest } from '../api/wire';
import { runSettingsProperties } from '../settings/startSettings';
import { batchItem } from '../output/batchItem';
import type { Operation, Run } from '../run';
import { invalid, oneOf, taskIdParameter, wholeNumberParameter } from '../settings/parameters';
import { startOnce } from './startOnce';

const showOnlyForStart: IDisplayOptions = { show: { operation: ['start'] } };

/** Starts a run and returns its new batch at once. */
export const startTask: Operation = {
	description: runSettingsProperties(showOnlyForStart),

	async execute(run) {
		const batch = await startTaskOnce(run, startRequest(run));
		return [batchItem(batch, run.itemIndex)];
	},
};

/** Starts the task, once in an execution. */
export async function startTaskOnce(run: Run, request: StartRequest): Promise<Batch> {
	return await startOnce(run, async () => await requestStart(run.connection, request));
}

/** The body of the start request; throws before anything is sent when a setting is invalid. */
export function startRequest(run: Run): StartRequest {
	const taskID = taskIdParameter(run);
	const nodeCount = wholeNumberParameter(run, 'nodeCount', 'Max Concurrent Agents', 1);
	const jobCount = wholeNumberParameter(run, 'jobCount', 'Jobs', 1);
	const region = regionParameter(run);
	const actionParams = encodeParams(stepValues(run));
	return {
		taskID,
		nodeCount,
		jobCount,
		...(region !== '' && { region }),
		...(actionParams !== undefined && { actionParams }),
	};
}

function regionParameter(run: Run): string {
	const region: unknown = run.context.getNodeParameter('region', run.itemIndex, '') ?? '';
	if (typeof region === 'string') return region.trim();
	throw invalid(run, `Region must be a text, not ${JSON.stringify(region)}`);
}

function stepValues(run: Run): ActionParam[] {
	const { context, itemIndex } = run;
	const how = context.getNodeParameter('specifyActionParams', itemIndex, 'fields');
	const isJson = oneOf(run, how, 'Specify Step Values', ['fields', 'json']) === 'json';
	try {
		return isJson
			? paramsFromJson(context.getNodeParameter('actionParamsJson', itemIndex, '[]'))
			: paramsFromFields(context.getNodeParameter('actionParams', itemIndex, {}));
	} catch (error) {
		throw error instanceof StepValueError
			? invalid(run, error.message, 'Correct the step values of this node. Nothing was started.')
			: invalid(run, String(error));
	}
}
