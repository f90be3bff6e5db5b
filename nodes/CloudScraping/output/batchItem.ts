import type { INodeExecutionData } from 'n8n-workflow';

import { statusName } from '../api/batches';
import type { Batch } from '../api/wire';

/** The item of a batch: the batch as the service sent it, and its status in words. */
export function batchItem(batch: Batch, itemIndex: number): INodeExecutionData {
	return { json: { ...batch, statusName: statusName(batch) }, pairedItem: { item: itemIndex } };
}
