import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { statusName } from '../api/batchStatus';
import { throwIfCancelled } from '../api/cancel';
import type { Batch } from '../api/wire';
import { fileTypes, fileText } from '../rows/toFile';
import type { FileText } from '../rows/toFile';
import type { Run } from '../run';
import type { FileSettings } from '../settings/outputSettings';
import type { RowSettings } from '../settings/rowSettings';
import { tableColumns } from './readRows';

/**
 * Writes rows to files of at most `rowsPerFile` rows, one item a file; one file where there are none, unless only
 * new ones are wanted. Each file goes into n8n's
 * binary store before the next is begun, so memory holds one file, however many rows there are.
 */
export async function filesOfRows(
	run: Run,
	batch: Batch,
	pages: AsyncIterable<IDataObject[]>,
	rowSettings: RowSettings,
	{ style, binaryPropertyName, fileName, rowsPerFile }: FileSettings,
): Promise<INodeExecutionData[]> {
	const { extension, mimeType } = fileTypes[style.format];
	const baseName = fileName ?? `batch-${batch.batchID}`;
	const columns = tableColumns(batch, rowSettings);
	const items: INodeExecutionData[] = [];

	const store = async (file: FileText, name: string) => {
		throwIfCancelled(run.connection);
		const content = file.end();
		const binary = await run.context.helpers.prepareBinaryData(content, name, mimeType);
		items.push({
			json: {
				batchID: batch.batchID,
				taskID: batch.taskID,
				statusName: statusName(batch),
				rows: file.rows,
				part: items.length + 1,
				fileName: name,
				mimeType,
				bytes: content.length,
			},
			binary: { [binaryPropertyName]: binary },
			pairedItem: { item: run.itemIndex },
		});
	};

	let file = fileText(style, columns);
	for await (const page of pages) {
		for (const row of page) {
			// Only the row after a full file shows that there will be more than one, with numbers.
			if (file.rows === rowsPerFile) {
				await store(file, numberedName(baseName, items.length + 1, extension));
				// A column that one file has got, the next ones have, too: they can be put together.
				file = fileText(style, file.columns);
			}
			file.add(row);
		}
	}
	const isOnlyFile = items.length === 0;
	// Where nothing is new, nothing comes out, as without files.
	if (isOnlyFile && file.rows === 0 && rowSettings.onlyNew) return [];
	await store(
		file,
		isOnlyFile ? `${baseName}.${extension}` : numberedName(baseName, items.length + 1, extension),
	);
	for (const item of items) item.json.parts = items.length;
	return items;
}

function numberedName(name: string, part: number, extension: string): string {
	return `${name}-${String(part).padStart(3, '0')}.${extension}`;
}
