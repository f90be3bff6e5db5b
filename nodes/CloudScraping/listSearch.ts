import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { readBatches, statusName } from './api/batches';
import { connect } from './api/connection';
import type { Batch } from './api/types';
import { textOf } from './operations/parameters';

/** Batches that the dropdown shows at most; an older one can be given by its ID. */
const MOST_BATCHES = 100;

/** Fills the batch dropdown: newest first, with time, status and rows. */
export async function searchBatches(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const taskId = textOf(this.getCurrentNodeParameter('taskId'));
	if (taskId === '') {
		throw new NodeOperationError(this.getNode(), 'Enter the task ID first', {
			description: 'The list shows the batches of one task.',
		});
	}
	const connection = await connect(this);
	const results: INodeListSearchResult['results'] = [];
	for await (const batch of readBatches(connection, taskId)) {
		const name = batchLabel(batch, this.getTimezone());
		if (filter && !name.toLowerCase().includes(filter.toLowerCase())) continue;
		results.push({ name, value: String(batch.batchID) });
		if (results.length >= MOST_BATCHES) break;
	}
	return { results };
}

/** e.g. `2026-11-20 09:30:00 · successful · 1204 rows · 1847205612`; without rows where they are no number. */
export function batchLabel(batch: Batch, timeZone: string): string {
	const created = toDate(batch.createTime);
	// The Swedish way to write a date is the one that sorts.
	const time = created ? created.toLocaleString('sv-SE', { timeZone }) : 'no time';
	const count = textOf(batch.lineCount);
	const rows = /^\d+$/.test(count) ? [`${count} ${count === '1' ? 'row' : 'rows'}`] : [];
	return [time, statusName(batch), ...rows, batch.batchID].join(' · ');
}

/** The specification does not say whether times are seconds or milliseconds: their size does. */
function toDate(time: unknown): Date | undefined {
	const value = Number(time);
	if (!Number.isFinite(value) || value <= 0) return undefined;
	const date = new Date(value < 100_000_000_000 ? value * 1000 : value);
	// Beyond the year 275760 there are no dates.
	return Number.isNaN(date.getTime()) ? undefined : date;
}
