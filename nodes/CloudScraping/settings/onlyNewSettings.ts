import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { operationError } from '../run';
import { chosen, listIn, shown, textIn, textList, yesOrNo } from './fieldValues';
import type { Choice, Entered } from './fieldValues';

/** How rows are compared with those that came out in earlier executions. */
export interface OnlyNewSettings {
	/** The columns that identify a row; all together do where there are none. */
	keyFields: string[];
	/** What the first execution does with the rows that are there: brings them out, or remembers them. */
	firstRun: 'return' | 'remember';
	/** A name for what is remembered; another one begins anew. */
	memory: string;
	/** Whether executions by hand are remembered. */
	rememberTests: boolean;
}

const onlyNew: INodeProperties = {
	displayName: 'Only New Rows',
	name: 'onlyNew',
	type: 'boolean',
	default: false,
	description:
		"Whether to return only rows that this node has not returned before, in any execution of this workflow, tests included (option 'Remember Tests'). Rows that are equal within a batch come out once. If a later node fails, they still count as returned: read the batch once by its ID with this off.",
};

const keyFields: INodeProperties = {
	displayName: 'Key Columns',
	name: 'keyFields',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Column' },
	default: [],
	placeholder: 'e.g. Link',
	description:
		"The columns by which a row is recognized, such as Link: one that was returned before comes out again when another of its values has changed since, and the column _change says 'new' or 'changed'. When empty, rows are recognized by all their values. With other key columns, all rows are new once.",
};

const firstRun: Choice<OnlyNewSettings['firstRun']> = {
	displayName: 'First Execution',
	name: 'firstRun',
	type: 'options',
	options: [
		{ name: 'Remember Only', value: 'remember', description: 'Rows that come later are new' },
		{ name: 'Return All Rows', value: 'return', description: 'All of them are new' },
	],
	default: 'return',
	description: 'What the first execution does with the rows that are already there',
};

const memory: INodeProperties = {
	displayName: 'Memory',
	name: 'memory',
	type: 'string',
	default: '',
	placeholder: 'e.g. second try',
	description: 'A name for what is remembered. Another name starts over.',
};

const rememberTests: INodeProperties = {
	displayName: 'Remember Tests',
	name: 'rememberTests',
	type: 'boolean',
	default: true,
	description:
		'Whether rows returned by manual executions are known afterwards. When off, these executions only show what would come.',
};

const shownForOnlyNew: IDisplayOptions = { show: { '/onlyNew': [true] } };

/** The fields of "Only New Rows" beside the limit. */
export function onlyNewProperties(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{ ...onlyNew, displayOptions },
		{ ...keyFields, displayOptions: { show: { ...displayOptions.show, onlyNew: [true] } } },
	];
}

/** Its options; the key columns are those of workflows from before there was "Only New Rows". */
export const onlyNewOptions: INodeProperties[] = [
	{ ...keyFields, displayOptions: { show: { deduplication: ['history'] } } },
	...[firstRun, memory, rememberTests].map((property) => ({
		...property,
		displayOptions: shownForOnlyNew,
	})),
];

/** Whether only new rows are wanted by the field of that name. */
export function wantsOnlyNew(parameters: Entered): boolean {
	return yesOrNo(parameters, onlyNew);
}

/** Checks the settings of "Only New Rows". */
export function onlyNewSettings(parameters: Entered, options: Entered): OnlyNewSettings {
	const keys = wantsOnlyNew(parameters) ? keyColumns(parameters) : [];
	return {
		keyFields: keys.length > 0 ? keys : keyColumns(options),
		firstRun: chosen(options, firstRun),
		memory: textIn(options, memory),
		rememberTests: yesOrNo(options, rememberTests),
	};
}

/** The key columns that were entered. Blank entries alone are a mistake: without any, all columns would count. */
function keyColumns(entered: Entered): string[] {
	const columns = textList(entered, keyFields);
	const value = listIn(entered.valueOf(keyFields));
	const isEmpty = Array.isArray(value) && value.flat().length === 0;
	if (isEmpty || columns.some((column) => /[^\s,]/.test(column))) return columns;
	throw operationError(
		entered,
		`${keyFields.displayName} must name at least one column, not ${shown(value)}`,
		'Enter a column that identifies a row, such as Link, or remove the empty entries: then rows are compared by all columns. Nothing was sent.',
	);
}
