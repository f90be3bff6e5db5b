import type { IDisplayOptions, INodeParameterResourceLocator, INodeProperties } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { findBatch, hasEnded, progressOf, readBatches, statusName } from '../api/batches';
import type { Batch } from '../api/wire';
import { hint } from '../hints';
import type { Run } from '../run';
import {
	invalid,
	oneOf,
	optionsParameter,
	taskIdParameter,
	textOf,
	yesOrNo,
} from '../settings/parameters';

/** Which batch to read: the newest finished one, or one by its identifier. */
export function batchProperties(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{
			displayName: 'Batch',
			name: 'batch',
			type: 'options',
			options: [
				{
					name: 'Latest Finished Batch',
					value: 'latest',
					description: 'The newest run of the task that was successful',
				},
				{
					name: 'Specific Batch',
					value: 'id',
					description: 'One run, chosen from the list or given by its ID',
				},
			],
			default: 'latest',
			description: 'The run of the task to read',
			displayOptions,
		},
		{
			displayName: 'Batch to Read',
			name: 'batchId',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			required: true,
			// Else the list would keep the batches of another task.
			typeOptions: { loadOptionsDependsOn: ['taskId'] },
			description: 'The run to read. Choose from the list, newest first, or give its ID.',
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
					placeholder: 'e.g. 1847205612',
					validation: [
						{
							type: 'regex',
							properties: { regex: '\\s*\\d+\\s*', errorMessage: 'A batch ID is a whole number' },
						},
					],
				},
			],
			displayOptions: { show: { ...displayOptions.show, batch: ['id'] } },
		},
	];
}

/** The batch that the user has chosen. Throws when there is no such batch, and says what there is. */
export async function chooseBatch(run: Run): Promise<Batch> {
	const taskId = taskIdParameter(run);
	const batch = run.context.getNodeParameter('batch', run.itemIndex, 'latest');
	if (oneOf(run, batch, 'Batch', ['latest', 'id']) === 'id') {
		return await batchById(run, taskId, batchIdParameter(run));
	}
	return await latestFinished(run, taskId);
}

/** The digits of the batch ID, from the list or typed in. */
function batchIdParameter(run: Run): string {
	const parameter = run.context.getNodeParameter('batchId', run.itemIndex, '') as
		INodeParameterResourceLocator | string | number;
	const value = typeof parameter === 'object' ? parameter?.value : parameter;
	const id = textOf(value);
	if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) {
		throw invalid(
			run,
			`The batch ID ${id} has lost digits: it is larger than a number can hold`,
			'Hand it over as text, as List Batches and Start Task of this node return it.',
		);
	}
	if (/^\d+$/.test(id)) return id;
	throw invalid(
		run,
		id === '' ? 'The batch ID is empty' : `The batch ID must be a whole number, not "${id}"`,
		'Choose a batch from the list, or take a batchID from List Batches or Start Task.',
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
				description: `Task ${taskId} has no batch ${batchId}. List Batches shows the batches that it has.`,
				httpCode: '404',
				itemIndex: run.itemIndex,
			},
		);
	}
	if (!hasEnded(batch)) {
		hint(run, `Batch ${batchId} is ${progressOf(batch)}: these are its rows so far.`);
	}
	return batch;
}

/** The newest batch that was successful, or stopped where the user allows that. */
async function latestFinished(run: Run, taskId: string): Promise<Batch> {
	const { includeStopped: option = false } = optionsParameter(run.context, run.itemIndex);
	const includeStopped = yesOrNo(run, option, 'Include Stopped');
	let newest: Batch | undefined;
	let unfinished: Batch | undefined;
	for await (const batch of readBatches(run.connection, taskId)) {
		newest ??= batch;
		if (!hasEnded(batch)) unfinished ??= batch;
		const status = statusName(batch);
		if (status !== 'successful' && !(includeStopped && status === 'stopped')) continue;
		if (unfinished) {
			hint(
				run,
				`A newer batch (${unfinished.batchID}) is ${progressOf(unfinished)}: these rows are of batch ${batch.batchID}, the latest that has finished.`,
			);
		}
		return batch;
	}
	throw invalid(run, `Task ${taskId} has no finished batch yet`, whatThereIs(newest, unfinished));
}

function whatThereIs(newest: Batch | undefined, unfinished: Batch | undefined): string {
	if (!newest) return 'It has no batch at all: start the task first.';
	if (unfinished) {
		return `Batch ${unfinished.batchID} is ${progressOf(unfinished)}: wait until it has ended, or read it by its ID.`;
	}
	if (statusName(newest) !== 'stopped') {
		return `Its newest batch ${newest.batchID} has ended with an unknown status: read it by its ID.`;
	}
	return `Its newest batch ${newest.batchID} is stopped: set the option "Include Stopped", or read it by its ID.`;
}
