import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { statusName } from '../api/batchStatus';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { rowKeys } from '../rows/fieldNames';
import { operationError } from '../run';
import type { Run, Where } from '../run';
import { parametersOf } from '../settings/fieldValues';
import type { RowSettings } from '../settings/rowSettings';
import { wantsSimple } from '../settings/simplifySettings';

/** A batch as the service sent it, and its status in words. */
export function batchJson(batch: Batch): IDataObject {
	return { ...batch, statusName: statusName(batch) };
}

/** What is left of a batch when it is simplified, in this order. */
const simpleKeys = [
	'batchID',
	'taskID',
	'statusName',
	'lineCount',
	'startTime',
	'endTime',
	'useTime',
];

/** A batch with what most workflows use, and the names of its columns, as its rows have them. */
export function simpleBatchJson(batch: Batch): IDataObject {
	const json = batchJson(batch);
	const simple: IDataObject = {};
	for (const key of simpleKeys) if (Object.hasOwn(json, key)) simple[key] = json[key];
	simple.fields = rowKeys(batchFields(batch), 'names').columns.map(([, name]) => name);
	return simple;
}

/** What makes the item of a batch as the user wants it; throws before any request when that is invalid. */
export function batchToItem(run: Run): (batch: Batch) => INodeExecutionData {
	const toJson = wantsSimple(parametersOf(run)) ? simpleBatchJson : batchJson;
	return (batch) => ({ json: toJson(batch), pairedItem: { item: run.itemIndex } });
}

/**
 * Items for which n8n has the memory. Of rows with 10 columns and 200 characters, n8n-core holds
 * 1,000,000 as items of one node in 657 MB, and 3,000,000 in 1.9 GB of a heap of 2.3 GB, which is what
 * Node.js takes on a machine with 4 GB. The next node doubles that, and n8n saves an execution as one
 * text: for 500,000 rows 252 million characters (601 MB with the items), while 1,000,000 are the end of
 * that heap, and hardly fit into the longest text of Node.js, 537 million characters.
 */
const maxItems = 500_000;

/**
 * Throws when items would take all memory of n8n, and of every other workflow with it. How many there
 * will be says the batch; where duplicates are dropped only counting does. `before`: those of other
 * input items.
 */
export function refuseTooManyItems(
	where: Where,
	{ total, items }: { total: number; items: number },
	{ limit, deduplication }: Pick<RowSettings, 'limit' | 'deduplication'>,
	before = 0,
): void {
	const expected = deduplication === 'off' ? Math.min(total, limit) : items;
	if (before + expected <= maxItems) return;
	const beside =
		before > 0 ? `, beside ${before.toLocaleString('en')} items of other input items` : '';
	throw operationError(
		where,
		`The batch has ${total.toLocaleString('en')} rows, too many for items`,
		`n8n keeps all items in memory, and there is room for about ${maxItems.toLocaleString('en')}${beside}. Choose 'Output: File' in Get Data of the Cloud Scraping node, or set a ${limit === Infinity ? '' : 'lower '}limit.`,
	);
}
