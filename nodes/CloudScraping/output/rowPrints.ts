import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import type { RowPrint } from '../memory/rowMemory';
import { onlyFields, rowFingerprint, valuesFingerprint } from '../rows/deduplicate';
import { rowKeys } from '../rows/fieldNames';
import type { Row } from '../rows/parseRow';
import type { RowSettings } from '../settings/rowSettings';

/** What stands for a row in the memory of earlier executions. */
export function rowPrint(
	compared: (row: Row) => object,
	keyIds: readonly string[],
): (row: Row) => RowPrint {
	return (row) => ({
		values: rowFingerprint(compared(row)),
		key: valuesFingerprint(row, keyIds),
	});
}

/** Of a row the columns that are returned: what nobody sees makes no row another one. */
export function comparedPart(
	batch: Batch,
	{ fields, fieldKeys }: Pick<RowSettings, 'fields' | 'fieldKeys'>,
): (row: Row) => object {
	const { idOf } = rowKeys(batchFields(batch), fieldKeys);
	// A column that is no field of the batch may still be a key of its rows.
	const ids = fields.map((column) => idOf(column) ?? column);
	return (row) => (fields.length === 0 ? row : onlyFields(row, ids));
}

/**
 * The keys that rows have for the key columns, each once, in whatever order they were entered. One that
 * is no field of the batch is looked for in the rows as they are read.
 */
export function keyFieldIds(
	batch: Batch,
	{ onlyNew, fieldKeys }: Pick<RowSettings, 'onlyNew' | 'fieldKeys'>,
): string[] {
	const { idOf } = rowKeys(batchFields(batch), fieldKeys);
	const ids = (onlyNew?.keyFields ?? []).map((wanted) => idOf(wanted) ?? wanted);
	return [...new Set(ids)].sort();
}
