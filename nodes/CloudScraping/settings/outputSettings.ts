import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { FileFormat, FileStyle } from '../rows/toFile';
import { operationError } from '../run';
import type { Run } from '../run';
import { chosen, numberIn, optionsOf, parametersOf, textIn, yesOrNo } from './fieldValues';
import type { Choice } from './fieldValues';
import { onlyNewProperties } from './onlyNewSettings';
import { byDisplayName, limitParameter, pagingProperties } from './sharedFields';
import { isConsumedByReading, rowOptions, rowSettings } from './rowSettings';
import type { RowSettings } from './rowSettings';

const output: Choice<'items' | 'file'> = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Items', value: 'items', description: 'One item per row' },
		{ name: 'File', value: 'file', description: 'CSV or JSONL, for many rows' },
	],
	default: 'items',
	description: 'Return items or files',
};

const fileFormat: Choice<FileFormat> = {
	displayName: 'File Format',
	name: 'fileFormat',
	type: 'options',
	options: [
		{ name: 'CSV', value: 'csv', description: 'A table with a header row' },
		{ name: 'JSONL', value: 'jsonl', description: 'One JSON object per line' },
	],
	default: 'csv',
	description: 'Format of the files',
};

const binaryPropertyName: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
};

const fileName: INodeProperties = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. products',
	description: "The extension is added. When empty, the name is 'batch-' and the batch ID.",
	displayOptions: { show: { '/output': ['file'] } },
};

const rowsPerFile: INodeProperties = {
	displayName: 'Rows per File',
	name: 'rowsPerFile',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100000,
	description: 'Start a new file after this many rows, one item each',
	displayOptions: { show: { '/output': ['file'] } },
};

const csvForExcel: INodeProperties = {
	displayName: 'CSV for Excel',
	name: 'csvForExcel',
	type: 'boolean',
	default: false,
	description:
		'Whether the file opens correctly in Excel with a double-click: adds a byte order mark, and an apostrophe before texts that look like formulas',
	displayOptions: { show: { '/output': ['file'], '/fileFormat': ['csv'] } },
};

/** What an operation returns of a batch: items or files, how many rows, and the options. */
export function outputProperties(
	displayOptions: IDisplayOptions,
	furtherOptions: INodeProperties[],
	limitHint?: string,
): INodeProperties[] {
	const forFiles: IDisplayOptions = { show: { ...displayOptions.show, output: ['file'] } };
	return [
		{ ...output, displayOptions },
		{ ...fileFormat, displayOptions: forFiles },
		{ ...binaryPropertyName, displayOptions: forFiles },
		...pagingOfOutput(displayOptions, limitHint),
		...onlyNewProperties(displayOptions),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions,
			options: byDisplayName([
				...rowOptions,
				fileName,
				rowsPerFile,
				csvForExcel,
				...furtherOptions,
			]),
		},
	];
}

/**
 * "Return All" is on for files. n8n leaves defaults out of saved workflows, so that there are two of it,
 * of which one is shown; where an expression says what the output is, that for items.
 */
function pagingOfOutput(displayOptions: IDisplayOptions, limitHint?: string): INodeProperties[] {
	const [returnAll, limit] = pagingProperties(displayOptions);
	const hiddenFor = (value: string | { _cnd: { not: string } }): IDisplayOptions => ({
		...displayOptions,
		hide: { output: [value] },
	});
	return [
		{ ...returnAll, displayOptions: hiddenFor('file') },
		{ ...returnAll, default: true, displayOptions: hiddenFor({ _cnd: { not: 'file' } }) },
		{ ...limit, hint: limitHint },
	];
}

/** Rows that an AI agent gets at once, however high the limit is. */
export const maxRowsForAgent = 500;

/** The same of rows that do not come again: there must be room for something of each. */
const maxUnrepeatableRows = 50;

/** What the user gets of a batch: rows as items, or files. */
export interface OutputSettings {
	rows: RowSettings;
	file: FileSettings | undefined;
}

/** How rows become files. */
export interface FileSettings {
	style: FileStyle;
	binaryPropertyName: string;
	/** Without extension; the batch's number when absent. */
	fileName: string | undefined;
	rowsPerFile: number;
}

/** Reads and checks the settings of the output; throws before any request when one is invalid. */
export function outputSettings(run: Run): OutputSettings {
	const file = fileSettings(run);
	const wanted = rowSettings(optionsOf(run), limitParameter(run), parametersOf(run));
	const ofAgent = isConsumedByReading(wanted) ? maxUnrepeatableRows : maxRowsForAgent;
	const most = run.isTool && !file ? ofAgent : Infinity;
	const rows = { ...wanted, limit: Math.min(wanted.limit, most) };
	const { helpers } = run.context;
	if (rows.deduplication === 'history' && typeof helpers.checkProcessedAndRecord !== 'function') {
		throw operationError(
			run,
			'This n8n cannot remember rows across executions',
			"Update n8n, or turn off 'Only New Rows'.",
		);
	}
	return { rows, file };
}

function fileSettings(run: Run): FileSettings | undefined {
	const parameters = parametersOf(run);
	if (chosen(parameters, output) === 'items') return undefined;
	const field = textIn(parameters, binaryPropertyName);
	if (field === '') {
		const { displayName } = binaryPropertyName;
		throw operationError(run, `${displayName} is empty`, 'Enter a field name, such as data.');
	}
	const options = optionsOf(run);
	return {
		style: {
			format: chosen(parameters, fileFormat),
			forExcel: yesOrNo(options, csvForExcel),
		},
		binaryPropertyName: field,
		fileName: plainFileName(textIn(options, fileName)) || undefined,
		rowsPerFile: numberIn(options, rowsPerFile),
	};
}

/**
 * A name for a file in no other folder: n8n would read a slash as one. An extension that was typed is not
 * there twice.
 */
function plainFileName(name: string): string {
	return name.replaceAll(/[/\\\p{Cc}]/gu, '_').replace(/\.(?:csv|jsonl)$/i, '');
}
