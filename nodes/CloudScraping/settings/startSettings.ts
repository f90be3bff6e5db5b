import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { ActionParam, StartRequest } from '../api/wire';
import { operationError } from '../run';
import type { Run } from '../run';
import { encodeParams, paramsFromJson, placeName } from './actionParams';
import { chosen, numberIn, parametersOf } from './fieldValues';
import type { Choice, Entered } from './fieldValues';
import type { NamedStep } from './meantStepValue';
import { taskIdIn } from './sharedFields';
import { entryNames, paramsFromFields, stepValuesProperty } from './stepValues';

const nodeCount: INodeProperties = {
	displayName: 'Max Concurrent Agents',
	name: 'nodeCount',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'Maximum number of agents working on the batch at once. Leave it at 1 unless the batch is large.',
};

const jobCount: INodeProperties = {
	displayName: 'Jobs',
	name: 'jobCount',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'How many parts to split the batch into, so that several agents can share it. Only a task whose outermost step loops over a list of URLs or texts can be split.',
};

const region: Choice<'' | 'gb' | 'hk' | 'jp' | 'us'> = {
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
};

const specifyActionParams: Choice<'fields' | 'json'> = {
	displayName: 'Specify Step Values',
	name: 'specifyActionParams',
	type: 'options',
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: "How to specify the values that replace the task's own for this batch",
};

const actionParamsJson: INodeProperties = {
	displayName: 'Step Values (JSON)',
	name: 'actionParamsJson',
	type: 'json',
	default: '[]',
	description:
		'An array with one object per step value, with the keys of the example: the ID of its step, its value (a text, a whole number or a list of texts) and, for a field other than the default one, its path',
	hint: 'Example: [{"id": "step ID", "value": ["https://example.com/1", "https://example.com/2"]}]',
};

/** What a start sends (section 4.1 of the specification), apart from the task. */
export function startProperties(displayOptions: IDisplayOptions): INodeProperties[] {
	const specifiedBy = (choice: 'fields' | 'json'): IDisplayOptions => ({
		show: { ...displayOptions.show, specifyActionParams: [choice] },
	});
	return [
		{ ...specifyActionParams, displayOptions },
		{ ...stepValuesProperty, displayOptions: specifiedBy('fields') },
		{ ...actionParamsJson, displayOptions: specifiedBy('json') },
		...[nodeCount, jobCount, region].map((property) => ({ ...property, displayOptions })),
	];
}

/** The body of the start request; throws before anything is sent when a setting is invalid. */
export function startRequest(run: Run): StartRequest {
	const entered = parametersOf(run);
	const regionCode = chosen(entered, region);
	const request = {
		taskID: taskIdIn(entered),
		nodeCount: numberIn(entered, nodeCount),
		jobCount: numberIn(entered, jobCount),
		...(regionCode !== '' && { region: regionCode }),
	};
	const actionParams = encodeParams(stepValuesIn(entered));
	return { ...request, ...(actionParams !== undefined && { actionParams }) };
}

/** The steps that a start gives values to, in the order in which they are sent. */
export function namedSteps(run: Run): NamedStep[] {
	const entered = parametersOf(run);
	const names = isJson(entered) ? [] : entryNames(entered.valueOf(stepValuesProperty));
	return stepValuesIn(entered).map(({ id }, index) => ({
		entry: names[index] ?? placeName(index),
		id,
	}));
}

function isJson(entered: Entered): boolean {
	return chosen(entered, specifyActionParams) === 'json';
}

function stepValuesIn(entered: Entered): ActionParam[] {
	const [property, read] = isJson(entered)
		? [actionParamsJson, paramsFromJson]
		: [stepValuesProperty, paramsFromFields];
	const value = entered.valueOf(property);
	try {
		return read(value);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw operationError(
			entered,
			message,
			'Correct the step values of this node. Nothing was started for this item.',
		);
	}
}
