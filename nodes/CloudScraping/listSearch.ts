import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { statusName } from './api/batchStatus';
import { connect } from './api/connection';
import { readBatchPage } from './api/paging/batches';
import type { BatchPlace } from './api/paging/batches';
import { localTime } from './api/times';
import type { Batch } from './api/wire';
import { isAddress } from './settings/batchIds';
import { textOf } from './settings/fieldValues';
import { taskIdsOf } from './settings/sharedFields';

/** Pages that are looked through at once for a filter that matches none of their batches. */
const maxPages = 5;

/**
 * Fills the batch dropdown, a page of batches at a time: newest first, with time, status and rows.
 * n8n asks for more with the token of the page before, as the user scrolls.
 */
export async function searchBatches(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const [taskId] = taskIdsOf(textOf(this.getCurrentNodeParameter('taskId')));
	if (taskId === '' || isAddress(taskId)) {
		throw new NodeOperationError(this.getNode(), 'Enter the task ID first', {
			description: 'The list shows the batches of one task.',
		});
	}
	const connection = await connect(this);
	let next = placeOf(paginationToken);
	for (let pages = 1; ; pages++) {
		const read = await readBatchPage(connection, taskId, next);
		next = read.next;
		const results = read.batches
			.map((batch) => ({
				name: batchLabel(batch, this.getTimezone()),
				value: String(batch.batchID),
			}))
			.filter(({ name }) => !filter || name.toLowerCase().includes(filter.toLowerCase()));
		if (results.length > 0 || !next || pages >= maxPages) {
			return { results, paginationToken: next && tokenOf(next) };
		}
	}
}

function tokenOf({ page, size }: BatchPlace): string {
	return `${page}/${size}`;
}

function placeOf(token: string | undefined): BatchPlace | undefined {
	const [page, size] = (token ?? '').split('/').map(Number);
	return page > 0 && size > 0 ? { page, size } : undefined;
}

/**
 * e.g. `2026-11-20 09:30:00 · successful · 1204 rows · 1847205612`; the time as the service sent it where
 * its unit is not sure, and without rows where they are no number.
 */
export function batchLabel(batch: Batch, timeZone: string): string {
	const sent = textOf(batch.createTime);
	const time = localTime(batch, 'createTime', timeZone) ?? (sent === '0' ? '' : sent);
	const count = textOf(batch.lineCount);
	const rows = /^\d+$/.test(count) ? [`${count} ${count === '1' ? 'row' : 'rows'}`] : [];
	return [time || 'no time', statusName(batch), ...rows, batch.batchID].join(' · ');
}
