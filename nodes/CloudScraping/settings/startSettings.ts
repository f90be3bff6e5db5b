import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { ActionParam, StartRequest } from '../api/wire';
import type { Run } from '../run';
import { StepValueError, encodeParams, paramsFromFields, paramsFromJson } from './actionParams';
import { invalid, oneOf, taskIdParameter, wholeNumberParameter } from './parameters';
import { stepValuesProperty } from './stepValues';

/** What a start sends (section 4.1 of the specification), apart from the task. */
export function runSettingsProperties(displayOptions: IDisplayOptions): INodeProperties[] {
	const forStepValues = (choice: string): IDisplayOptions => ({
		show: { ...displayOptions.show, specifyActionParams: [choice] },
	});
	return [
		{
			displayName: 'Max Concurrent Agents',
			name: 'nodeCount',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			description: 'How many agents may work on this run at once',
			displayOptions,
		},
		{
			displayName: 'Jobs',
			name: 'jobCount',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			description:
				'Parts to split the run into, so that several agents can share it. Only a task whose outermost step loops over a list of URLs or texts can be split.',
			displayOptions,
		},
		{
			displayName: 'Region',
			name: 'region',
			type: 'options',
			options: [
				{ name: 'Default (Any Idle Agent)', value: '' },
				{ name: 'Great Britain', value: 'gb' },
				{ name: 'Hong Kong', value: 'hk' },
				{ name: 'Japan', value: 'jp' },
				{ name: 'United States', value: 'us' },
			],
			default: '',
			description: 'Where the agents run',
			displayOptions,
		},
		{
			displayName: 'Specify Step Values',
			name: 'specifyActionParams',
			type: 'options',
			options: [
				{ name: 'Using Fields Below', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
			default: 'fields',
			description: 'How to give the values that replace those of the task for this run',
			displayOptions,
		},
		{ ...stepValuesProperty, displayOptions: forStepValues('fields') },
		{
			displayName: 'Step Values (JSON)',
			name: 'actionParamsJson',
			type: 'json',
			default: '[]',
			description:
				'An array with an object for each step value: its step "ID", its "value" (a text, a whole number or a list of texts) and, for a field other than the default one, its "path"',
			hint: 'Example: [{"id": "step ID", "value": ["https://example.com/1", "https://example.com/2"]}]',
			displayOptions: forStepValues('json'),
		},
	];
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
