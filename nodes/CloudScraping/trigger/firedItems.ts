import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Connection } from '../api/connection';
import type { Batch } from '../api/wire';
import { logWarning } from '../hints';
import { batchJson, refuseTooManyItems } from '../output/items';
import { describeGap } from '../output/missingRows';
import { newReport, readRows } from '../output/readRows';
import type { ReadReport } from '../output/readRows';
import type { TriggerSettings } from './triggerSettings';
import { mayBeLost, unreadItem } from './unreadBatch';

/** Rows of all batches that fire together: n8n keeps them in memory. A larger batch fires alone. */
const mostRows = 100_000;

/** Polls in which the rows of a batch are read in vain. */
const mostTries = 5;

/** By batch: in how many polls its rows could not be read. */
export type Tries = Record<string, number>;

/** What has become of the batches that fire. */
export interface Fired {
	items: INodeExecutionData[];
	/** Batches that are read at the next poll. */
	left: string[];
	tries: Tries;
}

/**
 * The items of ended batches, in their order, but for those that could not be read before: they come
 * last, so that they hold up no other one. The failure of one fails no poll: n8n would forget what
 * this one remembers, and may poll less often for a while.
 */
export async function firedItems(
	context: IPollFunctions,
	connection: Connection,
	settings: TriggerSettings,
	batches: Batch[],
	{ deadline, tries: before }: { deadline: number; tries: Tries },
): Promise<Fired> {
	const fired: Fired = { items: [], left: [], tries: { ...before } };
	const triesOf = ({ batchID }: Batch) => fired.tries[String(batchID)] ?? 0;
	let rows = 0;
	let isOver = false;
	for (const [index, batch] of [...batches].sort((a, b) => triesOf(a) - triesOf(b)).entries()) {
		const id = String(batch.batchID);
		isOver ||= index > 0 && performance.now() >= deadline;
		isOver ||= rows > 0 && rows + rowCount(batch, settings) > mostRows;
		if (isOver) {
			fired.left.push(id);
			continue;
		}
		const report = newReport();
		const result = await batchItems(connection, batch, settings, report).catch(asError);
		if (Array.isArray(result)) {
			if (report.gap) logWarning(context, `${describeGap(id, report.gap)}.`);
			for (const item of result) fired.items.push(item);
			rows += Math.max(result.length, rowCount(batch, settings));
			continue;
		}
		fired.tries[id] = triesOf(batch) + 1;
		const isLost = mayBeLost(result, settings.rows, report);
		const isGivenUp = isLost || fired.tries[id] >= mostTries;
		if (isGivenUp) fired.items.push(unreadItem(batch, result, settings.rows, isLost));
		else fired.left.push(id);
		// What has made this batch lose rows may do so to the next one.
		isOver ||= isLost;
		const next = isGivenUp ? 'is not read again' : 'is read again at the next poll';
		logWarning(context, `Batch ${id} ${next}: ${result.message}`, result);
	}
	return fired;
}

/** The items of one batch; throws when its rows cannot be read. */
export async function batchItems(
	connection: Connection,
	batch: Batch,
	{ output, rows, taskId }: TriggerSettings,
	report: ReadReport,
): Promise<INodeExecutionData[]> {
	if (output === 'batch') return [{ json: batchJson(batch) }];
	const items: INodeExecutionData[] = [];
	for await (const page of readRows(connection, { ...batch, taskID: taskId }, rows, report)) {
		const count = { total: report.total, items: items.length + page.length };
		refuseTooManyItems({ context: connection.context, itemIndex: 0 }, count, rows);
		for (const json of page) items.push({ json });
	}
	return items;
}

function rowCount({ lineCount }: Batch, { output }: TriggerSettings): number {
	return output === 'rows' ? Number(lineCount) || 0 : 0;
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
