import type { INodeProperties } from 'n8n-workflow';

import { operationError } from '../run';
import { chosen, numberIn, textIn, textList, yesOrNo } from './fieldValues';
import type { Choice, Entered } from './fieldValues';
import { onlyNewOptions, onlyNewSettings, wantsOnlyNew } from './onlyNewSettings';
import type { OnlyNewSettings } from './onlyNewSettings';

/** How rows are read and shown: what all operations with rows share. */
export interface RowSettings {
	/** Rows to return, after deduplication; `Infinity` for all. */
	limit: number;
	fieldKeys: 'names' | 'ids';
	fields: string[];
	preview: boolean;
	deduplication: 'off' | 'read' | 'history' | 'service';
	deduplicationId: string;
	/** With the deduplication "history". */
	onlyNew?: OnlyNewSettings;
	includeBatch: boolean;
	pageSize: number;
	concurrency: number;
	/** What happens when a batch that has ended returns a different number of rows than the service reports. */
	onMissingRows: 'error' | 'return';
	/** A batch that has ended with fewer rows is an error. */
	minRows: number;
}

const fieldKeys: Choice<RowSettings['fieldKeys']> = {
	displayName: 'Name Columns By',
	name: 'fieldKeys',
	type: 'options',
	options: [
		{ name: 'Column Name', value: 'names' },
		{ name: 'Field ID', value: 'ids', description: 'Unaffected by renaming' },
	],
	default: 'names',
	description: 'What to use as the keys of each item',
};

const fields: INodeProperties = {
	displayName: 'Columns to Return',
	name: 'fields',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Column' },
	default: [],
	placeholder: 'e.g. Name',
	description: 'Keep only these columns, in this order. All columns when empty.',
};

const deduplication: Choice<RowSettings['deduplication']> = {
	displayName: 'Deduplication',
	name: 'deduplication',
	type: 'options',
	options: [
		{
			name: 'Off',
			value: 'off',
			description: 'Rows that a batch has twice come out twice',
		},
		{
			name: 'Within This Read',
			value: 'read',
			description: 'Drop rows that equal an earlier row of the same batch',
		},
		{
			name: 'Across Executions',
			value: 'history',
			description: "Same as the field 'Only New Rows'. Drops duplicates within a batch, too.",
		},
		{
			name: 'By the Service',
			value: 'service',
			description:
				"Drop rows that the service has already sent for a deduplication ID, which it forgets an hour after its last use. Needs the option 'Deduplication ID'.",
		},
	],
	default: 'off',
	description: 'Which duplicate rows to drop. Rows are duplicates when all their values are equal.',
	hint: "'By the Service' also needs the option 'Deduplication ID'",
};

const shownFor = (kind: RowSettings['deduplication']) => ({ show: { deduplication: [kind] } });

const deduplicationId: INodeProperties = {
	displayName: 'Deduplication ID',
	name: 'deduplicationId',
	type: 'string',
	default: '',
	placeholder: 'e.g. price-watch-1',
	description:
		'Names the sequence of reads over which the service drops duplicates. Use a new one to get all rows again.',
	displayOptions: shownFor('service'),
};

const includeBatch: INodeProperties = {
	displayName: 'Include Batch',
	name: 'includeBatch',
	type: 'boolean',
	default: false,
	description: 'Whether to add _batchId and _taskId to every row',
};

const concurrency: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 5,
	description: 'How many pages to fetch at once',
};

const onMissingRows: Choice<RowSettings['onMissingRows']> = {
	displayName: 'On Missing Rows',
	name: 'onMissingRows',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'error' },
		{ name: 'Return Available Rows', value: 'return', description: 'With a hint' },
	],
	default: 'error',
	description:
		'What to do when a batch that has ended returns a different number of rows than the service reports',
};

const preview: INodeProperties = {
	displayName: 'Truncate Long Values',
	name: 'preview',
	type: 'boolean',
	default: false,
	description: 'Whether the service shortens long values, as a preview',
};

const pageSize: INodeProperties = {
	displayName: 'Rows per Request',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 500,
	description: 'Rows per page. Fewer where the service does not allow that many.',
};

const minRows: INodeProperties = {
	displayName: 'Minimum Rows',
	name: 'minRows',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		"Fail when a batch that has ended has fewer rows. Counts all of its rows, before deduplication and 'Limit'.",
};

/** For hints. */
export const minRowsName = minRows.displayName;

const sharedOptions = [
	fieldKeys,
	fields,
	deduplicationId,
	includeBatch,
	concurrency,
	onMissingRows,
	preview,
	pageSize,
];

/** Options of every operation that returns rows; sorted by name where they are used. */
export const rowOptions: INodeProperties[] = [
	...sharedOptions,
	deduplication,
	minRows,
	...onlyNewOptions,
];

/** The same for a trigger: n8n offers no trigger to remember rows across executions. */
export const triggerRowOptions: INodeProperties[] = [
	...sharedOptions,
	{
		...deduplication,
		options: deduplication.options.filter(({ value }) => value !== 'history'),
	},
];

/** Whether rows that were read once do not come again at the next read. */
export function isConsumedByReading({
	deduplication: kind,
}: Pick<RowSettings, 'deduplication'>): boolean {
	return kind === 'service' || kind === 'history';
}

/**
 * Checks the row options that the user has set, and where there are any, the parameters beside them;
 * throws before any request when one is invalid.
 */
export function rowSettings(options: Entered, limit: number, parameters?: Entered): RowSettings {
	const kind = deduplicationIn(options, parameters);
	const settings = {
		limit,
		deduplication: kind,
		...(parameters && kind === 'history' && { onlyNew: onlyNewSettings(parameters, options) }),
		deduplicationId: textIn(options, deduplicationId),
		fieldKeys: chosen(options, fieldKeys),
		fields: textList(options, fields),
		preview: yesOrNo(options, preview),
		includeBatch: yesOrNo(options, includeBatch),
		pageSize: numberIn(options, pageSize),
		concurrency: numberIn(options, concurrency),
		onMissingRows: chosen(options, onMissingRows),
		minRows: options.has(minRows) ? numberIn(options, minRows) : 0,
	};
	if (settings.deduplication === 'service' && settings.deduplicationId === '') {
		throw operationError(
			options,
			'The deduplication ID is empty',
			"Deduplication by the service needs an ID: add the option 'Deduplication ID'.",
		);
	}
	return settings;
}

/** "Only New Rows" drops what is equal within a read as well; the service's own memory is another one. */
function deduplicationIn(options: Entered, parameters?: Entered): RowSettings['deduplication'] {
	const kind = chosen(options, deduplication);
	if (!parameters || !wantsOnlyNew(parameters)) return kind;
	if (kind !== 'service') return 'history';
	throw operationError(
		options,
		"'Only New Rows' cannot be combined with deduplication by the service",
		"Each has its own memory. Turn off the field 'Only New Rows', or remove the option 'Deduplication'.",
	);
}
