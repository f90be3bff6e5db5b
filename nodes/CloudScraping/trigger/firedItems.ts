import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Connection } from '../api/connection';
import type { Batch } from '../api/wire';
import { logWarning } from '../hints';
import { batchJson, refuseTooManyItems, simpleBatchJson } from '../output/items';
import { withMeantColumns } from '../output/meantColumns';
import { describeGap } from '../output/missingRows';
import { newReport } from '../output/readCheck';
import type { ReadReport } from '../output/readCheck';
import { readRows } from '../output/readRows';
import type { TriggerSettings } from './triggerSettings';
import { mayBeLost, unreadItem } from './unreadBatch';

/** Rows of all batches that fire together: n8n keeps them in memory. A larger batch fires alone. */
const maxRows = 100_000;

/** Polls in which the rows of a batch are read in vain, or fewer come than it counts. */
const maxTries = 5;

/** By batch: in how many polls its rows could not be read, or were too few. */
export type Tries = Record<string, number>;

/** What has become of the batches that fire. */
export interface Fired {
	items: INodeExecutionData[];
	/** Batches that are read at the next poll. */
	left: string[];
	tries: Tries;
}

/**
 * The items of ended batches, in their order, but for those that could not be read whole before: they
 * come last, so that they hold up no other one. What still lacks rows then comes out with a note. The
 * failure of one fails no poll: n8n would forget what this one remembers, and may poll less often for a
 * while.
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
		isOver ||= rows > 0 && rows + rowCount(batch, settings) > maxRows;
		if (isOver) {
			fired.left.push(id);
			continue;
		}
		const report = newReport();
		const result = await batchItems(connection, batch, settings, report).catch(asError);
		const problem = result instanceof Error ? result : rowsToCome(id, report);
		const came = result instanceof Error ? [] : result;
		if (problem) fired.tries[id] = triesOf(batch) + 1;
		const isLost = result instanceof Error && mayBeLost(result, settings.rows, report);
		const isLeft = problem && !isLost && fired.tries[id] < maxTries;
		if (isLeft) fired.left.push(id);
		else {
			for (const item of came) fired.items.push(item);
			rows += Math.max(came.length, problem ? 0 : rowCount(batch, settings));
			if (problem) fired.items.push(unreadItem(batch, problem, settings.rows, isLost));
		}
		const { gap } = report;
		if (!problem && gap) logWarning(context, `${describeGap(id, gap)}.`);
		// What has made this batch lose rows may do so to the next one.
		isOver ||= isLost;
		const next = isLeft ? 'is read again at the next poll' : 'is not read again';
		if (problem) logWarning(context, `Batch ${id} ${next}: ${problem.message}`, problem);
	}
	return fired;
}

/** The items of one batch; throws when its rows cannot be read. */
export async function batchItems(
	connection: Connection,
	batch: Batch,
	{ output, rows, taskId, isSimple }: TriggerSettings,
	report: ReadReport,
): Promise<INodeExecutionData[]> {
	if (output === 'batch') return [{ json: isSimple ? simpleBatchJson(batch) : batchJson(batch) }];
	const items: INodeExecutionData[] = [];
	const settings = withMeantColumns(batch, rows);
	for await (const page of readRows(connection, { ...batch, taskID: taskId }, settings, report)) {
		const count = { total: report.total, items: items.length + page.length };
		refuseTooManyItems({ context: connection.context, itemIndex: 0 }, count, rows);
		for (const json of page) items.push({ json });
	}
	return items;
}

/** What is to be said of a batch that gives fewer rows than it counts: the list of its rows may lag. */
function rowsToCome(batchID: string, { gap }: ReadReport): Error | undefined {
	return gap && gap.came < gap.counted ? new Error(`${describeGap(batchID, gap)}.`) : undefined;
}

function rowCount({ lineCount }: Batch, { output }: TriggerSettings): number {
	return output === 'rows' ? Number(lineCount) || 0 : 0;
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
