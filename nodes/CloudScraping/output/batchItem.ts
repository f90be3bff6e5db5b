import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { statusName } from '../api/batches';
import type { Batch } from '../api/wire';

/** A batch as the service sent it, and its status in words. */
export function batchJson(batch: Batch): IDataObject {
	return { ...batch, statusName: statusName(batch) };
}

/** The item of a batch. */
export function batchItem(batch: Batch, itemIndex: number): INodeExecutionData {
	return { json: batchJson(batch), pairedItem: { item: itemIndex } };
}
