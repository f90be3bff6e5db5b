import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { readBatches } from '../api/batches';
import { hasEnded, statusName } from '../api/batchStatus';
import { connect } from '../api/connection';
import type { Connection } from '../api/connection';
import { incompleteList, readBatchPages } from '../api/paging/batches';
import type { Progress } from '../api/paging/batches';
import type { Batch } from '../api/wire';
import { newReport } from '../output/readCheck';
import { withAllInMessage } from '../wholeMessage';
import { afterFiring, findEnded } from './endedBatches';
import { batchItems, firedItems } from './firedItems';
import { recallPoll, rememberPoll } from './pollMemory';
import { sourceOf } from './storedState';
import { triggerSettings } from './triggerSettings';
import type { TriggerSettings } from './triggerSettings';

/** Share of n8n's time for a poll that reading rows may take; the rest is for what is under way. */
const budgetShare = 0.6;

/** Triggers whose poll is still under way: a second one would fire the same batches. */
const pollsUnderWay = new Set<string>();

/** One poll of the trigger: the items of batches that have ended since the last one, or null. */
export async function pollEndedBatches(
	this: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	try {
		return await poll.call(this);
	} catch (error) {
		const isOurs = error instanceof NodeApiError || error instanceof NodeOperationError;
		throw isOurs && isPublished(this) ? withAllInMessage(error) : error;
	}
}

/** Whether this may be the first poll, whose error is told to who publishes the workflow. */
function isPublished(context: IPollFunctions): boolean {
	return context.getMode() !== 'manual' && !context.getWorkflowStaticData('node').state;
}

async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = triggerSettings(this);
	const connection = await connect(this);
	if (this.getMode() === 'manual') return await newestEnded(connection, settings);

	const key = nodeKey(this);
	if (pollsUnderWay.has(key)) return null;
	pollsUnderWay.add(key);
	try {
		return await fireEnded(this, connection, settings);
	} finally {
		pollsUnderWay.delete(key);
	}
}

/** A node keeps its ID when it is renamed. */
function nodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

async function fireEnded(
	context: IPollFunctions,
	connection: Connection,
	settings: TriggerSettings,
): Promise<INodeExecutionData[][] | null> {
	const source = sourceOf(connection, settings.taskId);
	const stored = context.getWorkflowStaticData('node');
	const key = `${nodeKey(context)}/${source}`;
	const before = recallPoll(key, context.getNode().name, stored);
	const deadline = performance.now() + pollBudget(context) * budgetShare;
	const find = async (usual?: Progress) => {
		const pages = readBatchPages(connection, settings.taskId);
		const isOver = (batch: Batch) => isFinal(batch, settings);
		return await findEnded(pages, source, before.state, isOver, usual);
	};
	let found = await find();
	if ('noBaseline' in found && (await listsNewest(connection, settings.taskId))) {
		found = await find(found.noBaseline);
	}
	if ('noBaseline' in found) throw incompleteList(settings.taskId, found.noBaseline);
	const wanted = found.ended.filter((batch) => matches(batch, settings));
	const { items, left, tries } = await firedItems(context, connection, settings, wanted, {
		deadline,
		tries: before.unread,
	});
	const state = afterFiring(found, left);
	const unread = Object.fromEntries(
		Object.entries(tries).filter(([id]) => state.pending.includes(id)),
	);
	const revisions = before.state?.source === source ? before.revisions : [];
	rememberPoll(key, context.getNode().name, stored, { state, unread, revisions }, items.length > 0);
	return items.length > 0 ? [items] : null;
}

/** Whether what the list lacks stands behind the newest batch. */
async function listsNewest(connection: Connection, taskId: string): Promise<boolean> {
	for await (const { listed } of readBatchPages(connection, taskId, {
		pageSize: 1,
		maxPages: 1,
	})) {
		return listed > 0;
	}
	return false;
}

/** What a manual test shows: the newest batch that would have fired. Nothing is remembered. */
async function newestEnded(
	connection: Connection,
	settings: TriggerSettings,
): Promise<INodeExecutionData[][]> {
	for await (const batch of readBatches(connection, settings.taskId)) {
		if (!hasEnded(batch) || !matches(batch, settings)) continue;
		return [await batchItems(connection, batch, settings, newReport())];
	}
	throw new NodeOperationError(connection.node, 'There is no batch to show yet', {
		description: `Task ${settings.taskId} has no ${settings.event === 'finished' ? 'successful or stopped' : settings.event} batch. Start the task, and test again once it has ended.`,
	});
}

/** A batch of unknown status may still become what is waited for, also when it has an end time. */
function isFinal(batch: Batch, { event }: TriggerSettings): boolean {
	return hasEnded(batch) && (event === 'finished' || statusName(batch) !== 'unknown');
}

function matches(batch: Batch, { event }: TriggerSettings): boolean {
	return event === 'finished' || statusName(batch) === event;
}

/** Milliseconds that n8n gives a poll; releases that do not say so have no limit of their own. */
function pollBudget(context: IPollFunctions): number {
	return typeof context.getPollBudgetMs === 'function' ? context.getPollBudgetMs() : Infinity;
}
