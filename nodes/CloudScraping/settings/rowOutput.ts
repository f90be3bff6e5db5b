import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { byDisplayName } from './byDisplayName';
import { pagingProperties } from './paging';
import { historyOptions, rowOptions } from './rowOptions';

/** What an operation returns of a batch: how many rows, as items or files, and the options. */
export function rowOutputProperties(
	displayOptions: IDisplayOptions,
	furtherOptions: INodeProperties[],
): INodeProperties[] {
	const forFiles: IDisplayOptions = { show: { ...displayOptions.show, output: ['file'] } };
	return [
		...pagingProperties(displayOptions),
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'Items', value: 'items', description: 'One item a row' },
				{ name: 'File', value: 'file', description: 'CSV or JSONL, for many rows' },
			],
			default: 'items',
			description: 'What the rows become',
			displayOptions,
		},
		{
			displayName: 'File Format',
			name: 'fileFormat',
			type: 'options',
			options: [
				{ name: 'CSV', value: 'csv', description: 'A table with a header row' },
				{ name: 'JSONL', value: 'jsonl', description: 'One JSON object a line' },
			],
			default: 'csv',
			displayOptions: forFiles,
		},
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			required: true,
			default: 'data',
			hint: 'The name of the output binary field to put the file in',
			displayOptions: forFiles,
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions,
			options: byDisplayName([...rowOptions, ...historyOptions, ...fileOptions, ...furtherOptions]),
		},
	];
}

const fileOptions: INodeProperties[] = [
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. products',
		description: 'Name of the file without extension. When empty, it is "batch-" and the batch ID.',
		displayOptions: { show: { '/output': ['file'] } },
	},
	{
		displayName: 'Rows per File',
		name: 'rowsPerFile',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 100000,
		description: 'More rows go into further files, one item each',
		displayOptions: { show: { '/output': ['file'] } },
	},
];
