import type { IDisplayOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { hasEnded, progressOf, statusName } from '../api/batches';
import { describeMore } from '../api/errors';
import { stopOwnRun } from '../api/stopOwnRun';
import { waitForEnd } from '../api/waitForEnd';
import type { WaitResult } from '../api/waitForEnd';
import type { Batch } from '../api/wire';
import { hint, remark, warn } from '../hints';
import { outputRows } from '../output/outputRows';
import type { Operation, Run } from '../run';
import { outputProperties, outputSettings } from '../settings/outputSettings';
import { startProperties, startRequest } from '../settings/startSettings';
import { timeoutProperty, waitOptions, waitSettings } from '../settings/waitSettings';
import type { WaitSettings } from '../settings/waitSettings';
import { startTaskOnce } from './startTask';
import { stopWhenCancelled } from './stopWhenCancelled';

const showOnlyForRun: IDisplayOptions = { show: { operation: ['runAndGetData'] } };

/** Starts a run, waits until it has ended, and returns its rows. */
export const runAndGetData: Operation = {
	entry: {
		name: 'Run Task and Get Data',
		value: 'runAndGetData',
		description: 'Start a run of a task, wait until it has ended, and get its rows',
		action: 'Run a task and get its data',
	},
	properties: [
		...startProperties(showOnlyForRun),
		timeoutProperty(showOnlyForRun),
		...outputProperties(showOnlyForRun, waitOptions),
	],

	async execute(run) {
		const output = outputSettings(run);
		const wait = waitSettings(run);
		const request = startRequest(run);
		const { taskID } = request;
		const begin = Date.now();
		const start = startTaskOnce(run, request);
		const batch = await stopWhenCancelled(
			run,
			taskID,
			wait.stopOnCancel,
			start,
			async (started) => {
				const result = await waitForEnd(run.connection, taskID, started, wait);
				if (result.ended) noteStatus(run, result.batch, wait);
				const last = result.ended ? result.batch : await onTimeout(run, taskID, result, wait);
				run.notes.ran = Date.now() - begin;
				return last;
			},
		);
		const read = async () =>
			await outputRows(run, { ...batch, taskID }, output).catch(
				async (error: Error) => await Promise.reject(withBatch(error, batch)),
			);
		// A run that goes on while its rows so far are read is still one to stop.
		return hasEnded(batch)
			? await read()
			: await stopWhenCancelled(run, taskID, wait.stopOnCancel, Promise.resolve(batch), read);
	},
};

/** What the user wants when the run takes longer than the time-out. */
async function onTimeout(
	run: Run,
	taskID: string,
	{ batch }: WaitResult,
	wait: WaitSettings,
): Promise<Batch> {
	const count = wait.timeout / 60_000;
	const minutes = `${count} ${count === 1 ? 'minute' : 'minutes'}`;
	if (wait.onTimeout === 'error') {
		throw new NodeOperationError(run.context.getNode(), `The run has not ended within ${minutes}`, {
			itemIndex: run.itemIndex,
			description: `Batch ${batch.batchID} goes on: read it later with Get Data by its ID, or stop the task. Set a longer timeout, or another "On Timeout".`,
		});
	}
	if (wait.onTimeout === 'return') {
		hint(run, `Batch ${batch.batchID} is ${progressOf(batch)} after ${minutes}.`);
		return batch;
	}
	const result = await stopOwnRun(run.connection, taskID, batch);
	if (result.kind === 'stopped') remark(run, `The task was stopped after ${minutes}.`);
	if (result.kind === 'leftAlone') {
		warn(
			run,
			`Batch ${batch.batchID} is ${statusName(result.batch)} after ${minutes}. It was not stopped: ${result.why}.`,
		);
	}
	return result.batch;
}

/** The run was paid for: the error says which batch it is whose rows could not be read. */
function withBatch(error: Error, batch: Batch): Error {
	const state = hasEnded(batch) ? 'has ended' : `is ${statusName(batch)}`;
	const note = `Batch ${batch.batchID} ${state}: read it later with Get Data by its ID.`;
	describeMore(error, note, 'first');
	return error;
}

/** A run that someone else has stopped is an error where that is wanted. */
function noteStatus(run: Run, batch: Batch, { failOnStopped }: WaitSettings): void {
	const status = statusName(batch);
	if (status === 'successful') return;
	if (status !== 'stopped' || !failOnStopped) {
		hint(run, `Batch ${batch.batchID} has ended, but not as successful: it is ${status}.`);
		return;
	}
	throw new NodeOperationError(run.context.getNode(), `Batch ${batch.batchID} was stopped`, {
		itemIndex: run.itemIndex,
		description:
			'Someone else stopped the task. Its rows so far can be read with Get Data by its ID, or switch off "Fail on Stopped".',
	});
}
