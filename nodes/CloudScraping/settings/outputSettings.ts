import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { FILE_FORMATS } from '../rows/toFile';
import type { FileFormat } from '../rows/toFile';
import type { Run } from '../run';
import {
	byDisplayName,
	invalid,
	limitParameter,
	oneOf,
	optionsParameter,
	pagingProperties,
	textOf,
	wholeNumber,
} from './parameters';
import { historyOptions, rowOptions, rowSettings } from './rowSettings';
import type { RowSettings } from './rowSettings';

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

/** What the user gets of a batch: rows as items, or files. */
export interface RowOutput {
	rows: RowSettings;
	file: FileSettings | undefined;
}

/** Reads and checks the settings of the output; throws before any request when one is invalid. */
export function rowOutputSettings(run: Run): RowOutput {
	const options = optionsParameter(run.context, run.itemIndex);
	return { rows: rowSettings(run, options, limitParameter(run)), file: fileSettings(run) };
}

/** How rows become files. */
export interface FileSettings {
	format: FileFormat;
	binaryPropertyName: string;
	/** Without extension; the batch's number when absent. */
	fileName: string | undefined;
	rowsPerFile: number;
}

/** The file settings when the output is a file; throws before any request when one is invalid. */
function fileSettings(run: Run): FileSettings | undefined {
	const { context, itemIndex } = run;
	const output = context.getNodeParameter('output', itemIndex, 'items');
	if (oneOf(run, output, 'Output', ['items', 'file']) === 'items') return undefined;
	const options = optionsParameter(context, itemIndex);
	const binaryPropertyName = textOf(
		context.getNodeParameter('binaryPropertyName', itemIndex, 'data'),
	);
	if (binaryPropertyName === '') {
		throw invalid(
			run,
			'Put Output File in Field is empty',
			'Enter the name of a field, like data.',
		);
	}
	return {
		format: oneOf(
			run,
			context.getNodeParameter('fileFormat', itemIndex, 'csv'),
			'File Format',
			FILE_FORMATS,
		),
		binaryPropertyName,
		fileName: plainFileName(textOf(options.fileName)) || undefined,
		rowsPerFile: wholeNumber(run, options.rowsPerFile ?? 100_000, 'Rows per File'),
	};
}

/** A name for a file in no other folder: n8n would read a slash as one. */
function plainFileName(name: string): string {
	return name.replaceAll(/[/\\\u0000-\u001f]/g, '_');
}
