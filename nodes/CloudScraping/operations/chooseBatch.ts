import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { hasEnded, progressOf, statusName } from '../api/batchStatus';
import { findBatch, readBatches } from '../api/batches';
import { isObject } from '../api/json';
import { wantedStops } from '../api/startAndStop/wantedStops';
import { localTime } from '../api/times';
import { isIdentifier } from '../api/wire';
import type { Batch } from '../api/wire';
import { hint } from '../hints';
import { operationError } from '../run';
import type { Run } from '../run';
import { batchIdOf, isAddress } from '../settings/batchIds';
import { isNothing } from '../settings/expressions';
import {
	chosen,
	nothingIn,
	optionsOf,
	parametersOf,
	textOf,
	yesOrNo,
} from '../settings/fieldValues';
import type { Choice, Entered } from '../settings/fieldValues';
import { taskIdIn, taskIdsOf } from '../settings/sharedFields';

const batch: Choice<'latest' | 'id'> = {
	displayName: 'Batch',
	name: 'batch',
	type: 'options',
	options: [
		{
			name: 'Latest Finished Batch',
			value: 'latest',
			description:
				"The newest successful batch; with the option 'Include Stopped', a stopped one counts, too",
		},
		{
			name: 'Specific Batch',
			value: 'id',
			description: 'Chosen from the list or by its ID, whatever its status',
		},
	],
	default: 'latest',
	description: 'Which batch of the task to read',
};

const batchIdLocator: INodeProperties = {
	displayName: 'Batch ID',
	name: 'batchId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	// Else the list would keep the batches of another task.
	typeOptions: { loadOptionsDependsOn: ['taskId'] },
	description:
		'ID of the batch to read, as Start Task and List Batches return it, or chosen from the list, newest first',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a batch...',
			typeOptions: { searchListMethod: 'searchBatches', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			// No `validation`: n8n gives its expressions 250 ms, and a busy machine fails the workflow.
			placeholder: 'e.g. 1847205612',
			hint: "Or the address of the batch's page in the web console",
		},
	],
};

/** Only for "Latest Finished Batch". */
export const includeStopped: INodeProperties = {
	displayName: 'Include Stopped',
	name: 'includeStopped',
	type: 'boolean',
	default: false,
	description: 'Whether a stopped batch counts as finished',
	displayOptions: { show: { '/batch': ['latest'] } },
};

/** Which batch to read: the newest finished one, or one by its identifier. */
export function batchProperties(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{ ...batch, displayOptions },
		{ ...batchIdLocator, displayOptions: { show: { ...displayOptions.show, batch: ['id'] } } },
	];
}

/** The batch that the user has chosen. Throws when there is no such batch, and says what there is. */
export async function chooseBatch(run: Run): Promise<Batch> {
	const entered = parametersOf(run);
	const taskId = taskIdIn(entered);
	return chosen(entered, batch) === 'id'
		? await batchById(run, taskId, batchIdIn(entered))
		: await latestFinished(run, taskId);
}

/**
 * The same for a batch that is to be waited for. One that this n8n process has started is there, also while
 * the list lags behind or cannot be read: nobody else waits for it, or holds it to its budget.
 */
export async function chooseBatchToWaitFor(run: Run): Promise<Batch> {
	const entered = parametersOf(run);
	return await chooseBatch(run).catch(async (error: Error) => {
		if (chosen(entered, batch) !== 'id') return await Promise.reject(error);
		const ofTask = wantedStops(run.connection, taskIdIn(entered));
		return ofTask.begun(batchIdIn(entered)) ?? (await Promise.reject(error));
	});
}

/** The digits of the batch ID, from the list, typed in, or in a pasted address of the console. */
function batchIdIn(entered: Entered): string {
	const located = entered.valueOf(batchIdLocator);
	const value = isObject(located) ? located.value : located;
	const advice =
		"Choose a batch from the list, or enter a batchID from List Batches or Start Task, or the address of the batch's page in the web console.";
	if (isNothing(value)) throw operationError(entered, nothingIn(batchIdLocator, value), advice);
	const id = batchIdOf(textOf(value));
	if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) {
		throw operationError(
			entered,
			`The batch ID ${id} was rounded: it is too large for a number`,
			'Pass it as text, as List Batches and Start Task return it.',
		);
	}
	if (isIdentifier(id)) return id;
	const isOfTask = isAddress(id) && taskIdsOf(id)[0] !== id;
	const what = `"${id}"${isOfTask ? ', the address of a task' : ''}`;
	throw operationError(
		entered,
		id === '' ? 'The batch ID is empty' : `The batch ID must be a whole number, not ${what}`,
		advice,
	);
}

async function batchById(run: Run, taskId: string, batchId: string): Promise<Batch> {
	const batch = await findBatch(run.connection, taskId, batchId);
	if (!batch) {
		throw new NodeApiError(
			run.context.getNode(),
			{},
			{
				message: 'Task or batch not found',
				description: `Task ${taskId} has no batch ${batchId}: it may be of another task, have been deleted, or not be listed yet. List Batches shows the batches that there are.`,
				httpCode: '404',
				itemIndex: run.itemIndex,
			},
		);
	}
	return batch;
}

/** The newest batch that was successful, or stopped where the user allows that. */
async function latestFinished(run: Run, taskId: string): Promise<Batch> {
	const mayBeStopped = yesOrNo(optionsOf(run), includeStopped);
	let newest: Batch | undefined;
	let unfinished: Batch | undefined;
	for await (const batch of readBatches(run.connection, taskId)) {
		newest ??= batch;
		if (!hasEnded(batch)) unfinished ??= batch;
		const status = statusName(batch);
		if (status !== 'successful' && !(mayBeStopped && status === 'stopped')) continue;
		if (unfinished) noteNewer(run, batch, unfinished);
		return batch;
	}
	throw operationError(
		run,
		`Task ${taskId} has no finished batch yet`,
		whatThereIs(newest, unfinished),
	);
}

/** People put Get Data right behind Start Task, and wonder about old rows. */
function noteNewer(run: Run, batch: Batch, newer: Batch): void {
	const progress = progressOf(newer);
	const ended = localTime(batch, 'endTime', run.context.getTimezone());
	hint(
		run,
		`A newer batch (${newer.batchID}) is ${progress}. These rows are from batch ${batch.batchID}, the latest finished one.${ended ? ` It ended at ${ended}.` : ''}`,
		{
			kind: 'batch',
			id: newer.batchID,
			all: 'have not ended, and the rows are from the latest finished ones instead',
			each: `${progress} (rows from ${batch.batchID}${ended ? `, which ended at ${ended}` : ''})`,
		},
	);
}

function whatThereIs(newest: Batch | undefined, unfinished: Batch | undefined): string {
	if (!newest) return 'It has no batches: start the task first.';
	if (unfinished) {
		return `Batch ${unfinished.batchID} is ${progressOf(unfinished)}: wait until it has ended, or read it by its ID.`;
	}
	if (statusName(newest) !== 'stopped') {
		return `Its newest batch ${newest.batchID} has ended with an unknown status: read it by its ID.`;
	}
	return `Its newest batch ${newest.batchID} was stopped: turn on the option 'Include Stopped', or read it by its ID.`;
}
