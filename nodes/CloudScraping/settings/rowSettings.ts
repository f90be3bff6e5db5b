import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { invalid, oneOf, textList, textOf, wholeNumber, yesOrNo } from './parameters';
import type { Where } from './parameters';

const HISTORY = 'history';

const withDeduplication = (kind: string) => ({
	displayOptions: { show: { deduplication: [kind] } },
});

/** Options of every operation that returns rows; sorted by name where it is used. */
export const rowOptions: INodeProperties[] = [
	{
		displayName: 'Column Keys',
		name: 'fieldKeys',
		type: 'options',
		options: [
			{ name: 'Column Names', value: 'names' },
			{ name: 'Field IDs', value: 'ids', description: 'They stay when a column is renamed' },
		],
		default: 'names',
		description: 'What the keys of each item are',
	},
	{
		displayName: 'Columns to Return',
		name: 'fields',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Column' },
		default: [],
		description: 'Keep only these columns, in this order. All columns when empty.',
	},
	{
		displayName: 'Deduplication',
		name: 'deduplication',
		type: 'options',
		options: [
			{ name: 'Off', value: 'off' },
			{
				name: 'Within This Read',
				value: 'read',
				description: 'Drop rows that equal an earlier row of this read',
			},
			{
				name: 'Across Executions',
				value: HISTORY,
				description:
					'Drop rows that this node has returned before, in any execution of this workflow',
			},
			{
				name: 'By the Service',
				value: 'service',
				description:
					'Drop rows that the service has sent before for a deduplication ID, which it forgets an hour after its last use',
			},
		],
		default: 'off',
		description: 'Which rows to drop because they came before. Rows are equal when all values are.',
	},
	{
		displayName: 'Deduplication ID',
		name: 'deduplicationId',
		type: 'string',
		default: '',
		placeholder: 'e.g. price-watch-1',
		description:
			'Names the sequence of reads over which the service drops duplicates. Use a new one to get all rows again.',
		...withDeduplication('service'),
	},
	{
		displayName: 'Include Batch',
		name: 'includeBatch',
		type: 'boolean',
		default: false,
		description: 'Whether to add _batchId and _taskId to every row',
	},
	{
		displayName: 'Max Concurrent Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
		default: 5,
		description: 'How many pages are fetched at once',
	},
	{
		displayName: 'On Missing Rows',
		name: 'onMissingRows',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'error' },
			{ name: 'Return What Came', value: 'return', description: 'With a hint' },
		],
		default: 'error',
		description:
			'What happens when a batch that has ended gives other than the rows that it counts',
	},
	{
		displayName: 'Preview',
		name: 'preview',
		type: 'boolean',
		default: false,
		description: 'Whether the service truncates long values',
	},
	{
		displayName: 'Rows per Request',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 500,
		description: 'Size of the pages that are fetched. Smaller where the service does not allow it.',
	},
];

/** The same for a trigger: n8n offers no trigger to remember rows across executions. */
export const triggerRowOptions: INodeProperties[] = rowOptions.map((property) => ({
	...property,
	...(property.name === 'deduplication' && {
		options: property.options?.filter((choice) => !('value' in choice && choice.value === HISTORY)),
	}),
}));

/** Options of remembering rows across executions. */
export const historyOptions: INodeProperties[] = [
	{
		displayName: 'Key Columns',
		name: 'keyFields',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Column' },
		default: [],
		description:
			'The columns that identify a row. A row with a known key and other values comes out again; the column _change says "new" or "changed".',
		...withDeduplication(HISTORY),
	},
];

/** Only for "Latest Finished Batch". */
export const includeStoppedOption: INodeProperties = {
	displayName: 'Include Stopped',
	name: 'includeStopped',
	type: 'boolean',
	default: false,
	description: 'Whether a stopped batch may be the latest finished one',
	displayOptions: { show: { '/batch': ['latest'] } },
};

const DEDUPLICATIONS = ['off', 'read', 'service', 'history'] as const;

const ON_MISSING_ROWS = ['error', 'return'] as const;

const FIELD_KEYS = ['names', 'ids'] as const;

type Deduplication = (typeof DEDUPLICATIONS)[number];

/** How rows are read and shown: what all operations with rows share. */
export interface RowSettings {
	/** Rows to return, after deduplication; `Infinity` for all. */
	limit: number;
	fieldKeys: 'names' | 'ids';
	fields: string[];
	preview: boolean;
	deduplication: Deduplication;
	deduplicationId: string;
	keyFields: string[];
	includeBatch: boolean;
	pageSize: number;
	concurrency: number;
	/** What happens when a batch that has ended gives other than the rows that it counts. */
	onMissingRows: (typeof ON_MISSING_ROWS)[number];
}

/** Reads and checks the row options; throws before any request when one is invalid. */
export function rowSettings(where: Where, options: IDataObject, limit: number): RowSettings {
	const deduplication = oneOf(
		where,
		options.deduplication ?? 'off',
		'Deduplication',
		DEDUPLICATIONS,
	);
	const deduplicationId = textOf(options.deduplicationId);
	if (deduplication === 'service' && deduplicationId === '') {
		throw invalid(
			where,
			'The deduplication ID is empty',
			'Deduplication by the service needs an ID: add the option "Deduplication ID".',
		);
	}
	return {
		limit,
		fieldKeys: oneOf(where, options.fieldKeys ?? 'names', 'Column Keys', FIELD_KEYS),
		fields: listOption(where, options, 'fields', 'Columns to Return'),
		preview: yesOrNo(where, options.preview ?? false, 'Preview'),
		deduplication,
		deduplicationId,
		keyFields: listOption(where, options, 'keyFields', 'Key Columns'),
		includeBatch: yesOrNo(where, options.includeBatch ?? false, 'Include Batch'),
		pageSize: wholeNumber(where, options.pageSize ?? 500, 'Rows per Request'),
		concurrency: wholeNumber(where, options.concurrency ?? 5, 'Max Concurrent Requests', 20),
		onMissingRows: oneOf(
			where,
			options.onMissingRows ?? 'error',
			'On Missing Rows',
			ON_MISSING_ROWS,
		),
	};
}

/** The list of an option; empty when the option is not set, but not when its expression yields nothing. */
function listOption(where: Where, options: IDataObject, name: string, label: string): string[] {
	return textList(where, Object.hasOwn(options, name) ? options[name] : [], label);
}
