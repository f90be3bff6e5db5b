import type {
	IDataObject,
	IDisplayOptions,
	IExecuteFunctions,
	INode,
	INodeProperties,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject } from '../api/json';
import type { Run } from '../run';

export const taskIdProperty: INodeProperties = {
	displayName: 'Task ID',
	name: 'taskId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 5ae7a1a4-6ff5-4e9c-8a32-4c13e54d06e2',
	description: 'Identifier of the scraping task, from the web console of the service',
};

/** "Return All" and "Limit" for an operation. */
export function pagingProperties(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions,
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
		},
	];
}

/**
 * Sorts the options of a collection as n8n shows them: by the name that the user reads. Compared by
 * code units: `localeCompare` would load the rules of a language, half of the time to load the node.
 */
export function byDisplayName(properties: INodeProperties[]): INodeProperties[] {
	return [...properties].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

/** Whose setting it is: for error texts. */
export interface Where {
	context: { getNode(): INode };
	itemIndex: number;
}

type ItemRun = Pick<Run, 'context' | 'itemIndex'>;

/** An error of the user's settings: raised before any request, so that it costs nothing. */
export function invalid(
	{ context, itemIndex }: Where,
	message: string,
	description?: string,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}

/** The trimmed task ID. */
export function taskIdParameter(run: ItemRun): string {
	const taskId = textOf(run.context.getNodeParameter('taskId', run.itemIndex, ''));
	if (taskId === '') throw invalid(run, 'The task ID is empty', 'Enter the ID of the task to use.');
	return taskId;
}

/** A parameter that must be a whole number within bounds. */
export function wholeNumberParameter(
	run: ItemRun,
	name: string,
	label: string,
	fallback: number,
): number {
	return wholeNumber(run, run.context.getNodeParameter(name, run.itemIndex, fallback), label);
}

/** Checks a value that must be a whole number from 1, at most `max`. */
export function wholeNumber(run: Where, value: unknown, label: string, max = Infinity): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 1 && number <= max) {
		return number;
	}
	const range = max === Infinity ? 'from 1' : `from 1 to ${max}`;
	throw invalid(run, `${label} must be a whole number ${range}, not ${shown(value)}`);
}

/** How many results to return: `Infinity` for all. */
export function limitParameter(run: ItemRun): number {
	const returnAll = run.context.getNodeParameter('returnAll', run.itemIndex, false);
	return yesOrNo(run, returnAll ?? false, 'Return All')
		? Infinity
		: wholeNumberParameter(run, 'limit', 'Limit', 50);
}

/** Checks a value that must be true or false; an expression may also yield their names. */
export function yesOrNo(run: Where, value: unknown, label: string): boolean {
	const named = textOf(value).toLowerCase();
	if (value === true || named === 'true') return true;
	if (value === false || named === 'false') return false;
	throw invalid(run, `${label} must be true or false, not ${shown(value)}`);
}

/** Checks a value that must be one of those that the user can choose. */
export function oneOf<T extends string>(
	run: Where,
	value: unknown,
	label: string,
	choices: readonly T[],
): T {
	const known = choices.find((choice) => choice === value);
	if (known !== undefined) return known;
	throw invalid(run, `${label} must be one of ${choices.join(', ')}, not ${shown(value)}`);
}

/** The values of the "Options" collection that the user has set. */
export function optionsParameter(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const options = context.getNodeParameter('options', itemIndex, {});
	return isObject(options) ? options : {};
}

/**
 * A list of texts: an array, where an expression may yield an array for one entry as well, or one
 * text with a name a line or between commas. Empty texts are left out; a value that is no text is
 * refused, because without it the list would mean something else.
 */
export function textList(run: Where, value: unknown, label: string): string[] {
	const entries: unknown[] = typeof value === 'string' ? value.split(/[\n,]/) : [value].flat(2);
	const texts = entries.map((entry) => {
		if (typeof entry === 'string' || typeof entry === 'number') return String(entry).trim();
		throw invalid(
			run,
			`${label} must be a list of texts, not ${shown(value)}`,
			'Correct the expression of this option, or remove the option.',
		);
	});
	return texts.filter((text) => text !== '');
}

/** A value as trimmed text; nothing for a value that is none. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function shown(value: unknown): string {
	return value === undefined || value === '' ? 'empty' : JSON.stringify(value);
}
