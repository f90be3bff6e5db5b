import type { INodeExecutionData } from 'n8n-workflow';

import type { Batch } from '../api/wire';
import type { Run } from '../run';
import type { RowSettings } from '../settings/rowSettings';
import type { ReadReport } from './readRows';

/**
 * An AI agent sees nothing but the items: when the limit has cut its answer, a last item says so.
 * In a workflow, where every item is a row, there is none.
 */
export function thereIsMore(
	{ context, itemIndex }: Run,
	batch: Batch,
	{ limit }: RowSettings,
	{ rows, total }: ReadReport,
): INodeExecutionData[] {
	const isTool = context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');
	if (!isTool || rows < limit || total <= rows) return [];
	const note = `These are the first ${rows} of ${total} rows of batch ${batch.batchID}. Set a higher limit, or Return All, to get more.`;
	return [{ json: { note }, pairedItem: { item: itemIndex } }];
}
