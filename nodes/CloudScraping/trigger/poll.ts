import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { hasEnded, readBatches, readBatchPages, statusName } from '../api/batches';
import { connect } from '../api/connection';
import type { Connection } from '../api/connection';
import type { Batch } from '../api/types';
import { newReport, readRows } from '../operations/readRows';
import type { ReadReport } from '../operations/readRows';
import { findEnded } from './endedBatches';
import { lossOf, lostBatchesOf } from './lostBatches';
import type { LostBatches } from './lostBatches';
import { readState, sourceOf } from './storedState';
import { triggerSettings } from './triggerSettings';
import type { TriggerSettings } from './triggerSettings';

/** Share of n8n's time for a poll that reading rows may take; the rest is for what is under way. */
const BUDGET_SHARE = 0.6;

/** Triggers whose poll is still under way: a second one would fire the same batches. */
const pollsUnderWay = new Set<string>();

/** One poll of the trigger: the items of batches that have ended since the last one, or null. */
export async function pollEndedBatches(
	this: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const settings = triggerSettings(this);
	const connection = await connect(this);
	if (this.getMode() === 'manual') return await newestEnded(connection, settings);

	const key = `${this.getWorkflow().id}/${this.getNode().id}`;
	if (pollsUnderWay.has(key)) return null;
	pollsUnderWay.add(key);
	try {
		return await fireEnded(this, connection, settings, key);
	} finally {
		pollsUnderWay.delete(key);
	}
}

async function fireEnded(
	context: IPollFunctions,
	connection: Connection,
	settings: TriggerSettings,
	trigger: string,
): Promise<INodeExecutionData[][] | null> {
	const memory = context.getWorkflowStaticData('node');
	const source = sourceOf(connection, settings.taskId);
	const lost = lostBatchesOf(`${trigger} ${source}`);
	const { untold } = lost;
	lost.untold = undefined;
	if (untold) throw untold;
	const deadline = Date.now() + pollBudget(context) * BUDGET_SHARE;
	const pages = readBatchPages(connection, settings.taskId);
	const { ended, state } = await findEnded(pages, source, readState(memory.state), (batch) =>
		isFinal(batch, settings),
	);

	const wanted = ended.filter((batch) => matches(batch, settings));
	const limits = { lost, deadline };
	const { items, left, loss, error } = await itemsOf(context, connection, settings, wanted, limits);
	if (items.length === 0 && error) throw error;
	lost.untold = loss;
	memory.state = { ...state, pending: [...state.pending, ...left] };
	return items.length > 0 ? [items] : null;
}

/** What has become of the batches that fire. */
interface Fired {
	items: INodeExecutionData[];
	/** Batches that are read at the next poll. */
	left: string[];
	/** Rows of a batch may be lost. */
	loss?: Error;
	/** What to throw when nothing fires. */
	error?: Error;
}

/** The items of ended batches. One whose rows cannot be read holds up no other one. */
async function itemsOf(
	context: IPollFunctions,
	connection: Connection,
	settings: TriggerSettings,
	batches: Batch[],
	{ lost, deadline }: { lost: LostBatches; deadline: number },
): Promise<Fired> {
	const fired: Fired = { items: [], left: [] };
	for (const batch of batches) {
		const id = String(batch.batchID);
		if (lost.ids.has(id)) continue;
		const isInTime = fired.items.length === 0 || Date.now() < deadline;
		// What has made one batch lose rows may do so to the others.
		if (!isInTime || fired.loss) {
			fired.left.push(id);
			continue;
		}
		const report = newReport();
		const result = await batchItems(connection, batch, settings, report).catch(asError);
		if (Array.isArray(result)) {
			for (const item of result) fired.items.push(item);
			continue;
		}
		const loss = lossOf(connection.node, batch, result, settings.rows, report);
		if (loss) {
			lost.ids.add(id);
			fired.loss = loss;
			log(context, loss.message, loss);
		} else {
			fired.left.push(id);
			log(context, `Batch ${id} is read again at the next poll: ${result.message}`, result);
		}
		fired.error = loss ?? fired.error ?? result;
	}
	return fired;
}

/** Tells of an error in n8n's log: while other batches fire, n8n shows it nowhere else. */
function log(context: IPollFunctions, text: string, error: Error): void {
	context.logger.warn(text, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
		description: 'description' in error ? error.description : undefined,
	});
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
		description: `Task ${settings.taskId} has no ${settings.event === 'finished' ? 'successful or stopped' : settings.event} batch. Start the task, and test again when it has ended.`,
	});
}

async function batchItems(
	connection: Connection,
	batch: Batch,
	{ output, rows }: TriggerSettings,
	report: ReadReport,
): Promise<INodeExecutionData[]> {
	if (output === 'batch') return [{ json: { ...batch, statusName: statusName(batch) } }];
	const items: INodeExecutionData[] = [];
	for await (const page of readRows(connection, batch, rows, report)) {
		for (const json of page) items.push({ json });
	}
	return items;
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

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
