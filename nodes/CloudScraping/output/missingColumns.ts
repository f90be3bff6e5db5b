import { NodeOperationError } from 'n8n-workflow';

import type { Connection } from '../api/connection';
import { redact } from '../api/redact';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { rowKeys } from '../rows/fieldNames';
import type { RowSettings } from '../settings/rowSettings';

/**
 * The error for columns that were asked for and that the batch does not have: without them rows would
 * look alike that are not, and what they hold would be missed in silence.
 */
export function missingColumns(
	{ node, apiKey }: Connection,
	batch: Batch,
	{
		asked,
		setting,
		fieldKeys,
	}: Pick<RowSettings, 'fieldKeys'> & { asked: string[]; setting: string },
): NodeOperationError {
	const { columns } = rowKeys(batchFields(batch), fieldKeys);
	const names = columns.map(([, name]) => name).join(', ');
	return new NodeOperationError(
		node,
		`Batch ${batch.batchID} has no column ${asked.map((column) => `"${column}"`).join(', ')}`,
		{
			description: `${setting} must be columns of the batch: ${redact(names, apiKey)}. If a column was renamed, enter its new name, or its field ID, which stays.`,
		},
	);
}
