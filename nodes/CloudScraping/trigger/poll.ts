import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { hasEnded, readBatches, readBatchPages, statusName } from '../api/batches';
import { connect } from '../api/connection';
import type { Connection } from '../api/connection';
import { isObject } from '../api/envelope';
import type { Batch } from '../api/types';
import { invalid, oneOf, textOf } from '../operations/parameters';
import { newReport, readRows } from '../operations/readRows';
import type { ReadReport } from '../operations/readRows';
import { rowSettings } from '../operations/rowSettings';
import type { RowSettings } from '../operations/rowSettings';
import { findEnded } from './endedBatches';
import { lossOf, lostBatchesOf } from './lostBatches';
import { readState, sourceOf } from './storedState';

/** Share of n8n's time for a poll that reading rows may take; the rest is for what is under way. */
const BUDGET_SHARE = 0.6;

const EVENTS = ['finished', 'successful', 'stopped'] as const;

const OUTPUTS = ['batch', 'rows'] as const;

interface TriggerSettings {
	taskId: string;
	event: (typeof EVENTS)[number];
	output: (typeof OUTPUTS)[number];
	rows: RowSettings;
}

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

	const items: INodeExecutionData[] = [];
	const left: string[] = [];
	let firstError: Error | undefined;
	let loss: Error | undefined;
	for (const batch of ended.filter((batch) => matches(batch, settings))) {
		const id = String(batch.batchID);
		if (lost.ids.has(id)) continue;
		const isInTime = items.length === 0 || Date.now() < deadline;
		// What has made one batch lose rows may do so to the others.
		if (!isInTime || loss) {
			left.push(id);
			continue;
		}
		const report = newReport();
		const result = await batchItems(connection, batch, settings, report).catch(asError);
		if (Array.isArray(result)) {
			for (const item of result) items.push(item);
			continue;
		}
		loss = lossOf(connection.node, batch, result, settings.rows, report);
		if (loss) {
			lost.ids.add(id);
			log(context, loss.message, loss);
		} else {
			left.push(id);
			firstError ??= result;
			log(context, `Batch ${id} is read again at the next poll: ${result.message}`, result);
		}
	}
	// A batch whose rows cannot be read holds up no other one.
	const error = loss ?? firstError;
	if (items.length === 0 && error) throw error;
	lost.untold = loss;
	memory.state = { ...state, pending: [...state.pending, ...left] };
	return items.length > 0 ? [items] : null;
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

function triggerSettings(context: IPollFunctions): TriggerSettings {
	const where = { context, itemIndex: 0 };
	const taskId = textOf(context.getNodeParameter('taskId', ''));
	if (taskId === '')
		throw invalid(where, 'The task ID is empty', 'Enter the ID of the task to watch.');
	const options = context.getNodeParameter('options', {});
	const rows = rowSettings(where, isObject(options) ? (options as IDataObject) : {}, Infinity);
	if (rows.deduplication === 'history') {
		throw invalid(
			where,
			'A trigger cannot remember rows across executions',
			'Choose another deduplication, or get the rows with the Cloud Scraping node.',
		);
	}
	return {
		taskId,
		event: oneOf(where, context.getNodeParameter('event', 'finished'), 'Event', EVENTS),
		output: oneOf(where, context.getNodeParameter('output', 'batch'), 'Output', OUTPUTS),
		rows,
	};
}

/** Milliseconds that n8n gives a poll; releases that do not say so have no limit of their own. */
function pollBudget(context: IPollFunctions): number {
	return typeof context.getPollBudgetMs === 'function' ? context.getPollBudgetMs() : Infinity;
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
