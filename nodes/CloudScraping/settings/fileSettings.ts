import { FILE_FORMATS } from '../rows/toFile';
import type { FileFormat } from '../rows/toFile';
import type { Run } from '../run';
import { invalid, oneOf, optionsParameter, textOf, wholeNumber } from './parameters';

/** How rows become files. */
export interface FileSettings {
	format: FileFormat;
	binaryPropertyName: string;
	/** Without extension; the batch's number when absent. */
	fileName: string | undefined;
	rowsPerFile: number;
}

/** The file settings when the output is a file; throws before any request when one is invalid. */
export function fileSettings(run: Run): FileSettings | undefined {
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
