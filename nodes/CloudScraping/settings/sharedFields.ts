import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { operationError } from '../run';
import type { Run } from '../run';
import { batchIdOf, isAddress } from './batchIds';
import { excerpt, numberIn, parametersOf, textIn, yesOrNo } from './fieldValues';
import type { Entered } from './fieldValues';

export const taskIdProperty: INodeProperties = {
	displayName: 'Task ID',
	name: 'taskId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 5ae7a1a4-6ff5-4e9c-8a32-4c13e54d06e2',
	description: "ID of the scraping task, shown in the service's web console",
};

const returnAllProperty: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limitProperty: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	description: 'Max number of results to return',
};

/** "Return All" and "Limit" for an operation. */
export function pagingProperties(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{ ...returnAllProperty, displayOptions },
		{ ...limitProperty, displayOptions: { show: { ...displayOptions.show, returnAll: [false] } } },
	];
}

/**
 * Sorts the options of a collection as n8n shows them: by the name that the user reads. Compared by
 * code units: `localeCompare` would load the rules of a language, half of the time to load the node.
 */
export function byDisplayName(properties: INodeProperties[]): INodeProperties[] {
	return [...properties].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

/** The task ID of an input item. */
export function taskIdParameter(run: Run): string {
	return taskIdIn(parametersOf(run));
}

const uuid = /(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])/gi;

/** The UUIDs in a text, such as a link of the console; a text without one as it is. */
export function taskIdsOf(text: string): string[] {
	return [...new Set(text.match(uuid) ?? [text])];
}

/** The one task ID that was entered. */
export function taskIdIn(entered: Entered): string {
	const text = textIn(entered, taskIdProperty);
	if (text === '')
		throw operationError(entered, 'The task ID is empty', 'Enter the ID of the task to use.');
	const ids = taskIdsOf(text);
	if (ids.length === 1 && !isAddress(ids[0])) return ids[0];
	if (ids.length === 1)
		throw operationError(entered, `There is no task ID in ${excerpt(text)}`, adviceOn(text));
	throw operationError(
		entered,
		`The task ID must be one ID, not ${ids.join(' and ')}`,
		'Enter the ID of one task. Nothing was sent.',
	);
}

/** What to enter in the place of an address without a task ID. */
function adviceOn(address: string): string {
	const isOfBatch = batchIdOf(address) !== address;
	const what = isOfBatch ? 'This is the address of a batch, not of its task. ' : '';
	return `${what}Enter the task ID, or the address of the task's page in the web console. Nothing was sent.`;
}

/** How many results to return: `Infinity` for all. */
export function limitParameter(run: Run): number {
	const entered = parametersOf(run);
	return yesOrNo(entered, returnAllProperty) ? Infinity : numberIn(entered, limitProperty);
}
