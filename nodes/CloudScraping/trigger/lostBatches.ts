import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { lostRows } from '../api/fetchRows';
import type { Batch } from '../api/types';
import { mayHaveLostRows } from '../operations/readOnce';
import type { ReadReport } from '../operations/readRows';
import type { RowSettings } from '../operations/rowSettings';

/** Batches that are not read again. */
export interface LostBatches {
	ids: Set<string>;
	/** The error that was not thrown because other batches fired: the next poll throws it. */
	untold?: Error;
}

/** n8n drops what a poll remembers when the poll fails, so this process remembers it. */
const lostBatches = new Map<string, LostBatches>();

/** The lost batches of a trigger; `trigger` names it and what it watches. */
export function lostBatchesOf(trigger: string): LostBatches {
	const known = lostBatches.get(trigger);
	if (known) return known;
	const none = { ids: new Set<string>() };
	lostBatches.set(trigger, none);
	return none;
}

/**
 * What to say of a failed read that must not be made again: the service deduplicates (section 4.4) and
 * may have sent rows, so that another read would get the rest only and look like success. Undefined
 * where nothing can be lost.
 */
export function lossOf(
	node: INode,
	{ batchID }: Batch,
	error: Error,
	{ deduplication, deduplicationId }: RowSettings,
	report: ReadReport,
): NodeOperationError | undefined {
	if (deduplication !== 'service' || !mayHaveLostRows(error, report)) return undefined;
	const said =
		'description' in error && typeof error.description === 'string' ? error.description : '';
	const lost = lostRows(deduplicationId);
	return new NodeOperationError(node, `Rows of batch ${batchID} may be lost`, {
		description: [
			error.message,
			...(said === '' ? [] : [said]),
			...(said.includes(lost) ? [] : [lost]),
			`The trigger does not read batch ${batchID} again: read it by its ID, with Get Data of the Cloud Scraping node.`,
		].join('\n'),
	});
}
