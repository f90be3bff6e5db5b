import type { INodeExecutionData } from 'n8n-workflow';

import { descriptionOf } from '../api/errors';
import { lostRows } from '../api/paging/fetchRows';
import type { Batch } from '../api/wire';
import { batchJson } from '../output/items';
import type { ReadReport } from '../output/readCheck';
import { mayHaveLostRows } from '../output/readRows';
import type { RowSettings } from '../settings/rowSettings';

/**
 * Whether rows of a failed read may be lost: the service deduplicates (section 4.4) and may have sent
 * some. Another read would get the rest only, and look like success.
 */
export function mayBeLost(
	error: Error,
	{ deduplication }: RowSettings,
	report: ReadReport,
): boolean {
	return deduplication === 'service' && mayHaveLostRows(error, report);
}

/** What comes out in place of rows that are not read again: the batch, and what went wrong. */
export function unreadItem(
	batch: Batch,
	error: Error,
	{ deduplicationId }: RowSettings,
	isLost: boolean,
): INodeExecutionData {
	const said = descriptionOf(error);
	const lost = lostRows(deduplicationId);
	const description = [
		...(isLost ? [error.message] : []),
		...(said === '' ? [] : [said]),
		...(isLost && !said.includes(lost) ? [lost] : []),
		`The trigger does not read batch ${batch.batchID} again: read it by its ID, with Get Data of the Cloud Scraping node.`,
	].join('\n');
	const message = isLost ? `Rows of batch ${batch.batchID} may be lost` : error.message;
	return { json: { ...batchJson(batch), error: message, description } };
}
