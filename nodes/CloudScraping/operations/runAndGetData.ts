import type { IDisplayOptions } from 'n8n-workflow';

import { hasEnded, statusName } from '../api/batchStatus';
import { describeMore } from '../api/errors';
import { runningTime } from '../api/times';
import type { Batch } from '../api/wire';
import { NoRowsError } from '../output/missingRows';
import { outputRows } from '../output/outputRows';
import { askAgainItem } from '../output/toolAnswer';
import { waitOnce } from '../retryOnFail';
import type { Operation } from '../run';
import { startedBatch } from '../sentOnce';
import { outputProperties, outputSettings } from '../settings/outputSettings';
import { startProperties, startRequest } from '../settings/startSettings';
import { runOptions, runWaitSettings, timeoutProperty } from '../settings/waitSettings';
import { startTaskOnce } from './startTask';
import { stopWhenCancelled } from './stopWhenCancelled';
import { refuseAfterUnstopped } from './stopBatch';
import { waitForBatch } from './waitForBatch';

const showOnlyForRun: IDisplayOptions = { show: { operation: ['runAndGetData'] } };

/** Starts a task, waits until its batch has ended, and returns the rows. */
export const runAndGetData: Operation = {
	entry: {
		name: 'Run Task and Get Data',
		value: 'runAndGetData',
		description: 'Start a task, wait until its batch has ended, and get the rows',
		action: 'Run task and get data',
	},
	properties: [
		...startProperties(showOnlyForRun),
		timeoutProperty(showOnlyForRun),
		...outputProperties(
			showOnlyForRun,
			runOptions,
			'You pay for all rows; only this many are returned',
		),
	],

	async execute(run) {
		const output = outputSettings(run);
		const wait = runWaitSettings(run);
		const request = startRequest(run);
		const { taskID } = request;
		if (!startedBatch(run)) refuseAfterUnstopped(run, taskID);
		const begin = performance.now();
		const start = startTaskOnce(run, request, true);
		const stoppable = {
			taskID,
			start,
			isStopped: wait.stopOnCancel,
			pollInterval: wait.pollInterval,
			endsBy: begin + wait.timeout,
		};
		const waited = await stopWhenCancelled(
			run,
			stoppable,
			async (started) =>
				await waitOnce(run, async () => await waitForBatch(run, taskID, started, wait)),
		);
		const { batch } = waited;
		run.notes.waited = performance.now() - begin;
		run.notes.ran = runningTime(batch);
		if (waited.kind === 'askAgain') return [askAgainItem(run, taskID, waited)];
		const read = async () =>
			await outputRows(run, { ...batch, taskID }, output, waited.endSeen).catch(
				async (error: Error) => await Promise.reject(withBatch(error, batch)),
			);
		// A batch that goes on while its rows so far are read is still one to stop.
		return hasEnded(batch) ? await read() : await stopWhenCancelled(run, stoppable, read);
	},
};

/** The batch was paid for: the error says which batch it is, and how to get its rows without another start. */
function withBatch(error: Error, batch: Batch): Error {
	if (error instanceof NoRowsError) return error;
	const state = hasEnded(batch) ? 'has ended' : `is ${statusName(batch)}`;
	const note = `Batch ${batch.batchID} ${state} and is paid for: get its rows with Get Data (Batch: Specific Batch, By ID: ${batch.batchID}) instead of starting the task again.`;
	describeMore(error, note, 'first');
	return error;
}
