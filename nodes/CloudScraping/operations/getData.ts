import type { IDisplayOptions } from 'n8n-workflow';

import { hasEnded, progressOf, statusName } from '../api/batchStatus';
import { cancelledBy } from '../api/cancel';
import { localTime } from '../api/times';
import type { Batch } from '../api/wire';
import { hint, warn } from '../hints';
import { outputRows } from '../output/outputRows';
import { askAgainItem } from '../output/toolAnswer';
import { waitOnce } from '../retryOnFail';
import type { Operation, Run } from '../run';
import { outputProperties, outputSettings } from '../settings/outputSettings';
import { taskIdParameter } from '../settings/sharedFields';
import { batchWaitOptions, batchWaitSettings } from '../settings/waitSettings';
import { batchProperties, chooseBatch, chooseBatchToWaitFor, includeStopped } from './chooseBatch';
import { waitForBatch } from './waitForBatch';

const showOnlyForGetData: IDisplayOptions = { show: { operation: ['getData'] } };

/** The rows of one batch, one item per row, or as files. */
export const getData: Operation = {
	entry: {
		name: 'Get Data',
		value: 'getData',
		description: 'Get the scraped rows of a batch, one item per row',
		action: 'Get data of batch',
	},
	properties: [
		...batchProperties(showOnlyForGetData),
		...outputProperties(showOnlyForGetData, [includeStopped, ...batchWaitOptions]),
	],

	async waitFor(run, end) {
		const wait = batchWaitSettings(run);
		if (!wait) return undefined;
		// What is wrong with the output is said before the wait.
		outputSettings(run);
		const taskID = taskIdParameter(run);
		// Nobody else holds a batch to its budget.
		const isWatch = wait.budgets.length > 0;
		const waiting = isWatch ? run : { ...run, connection: cancelledBy(run.connection, end) };
		return await waitOnce(
			waiting,
			async () => await waitForBatch(waiting, taskID, await chooseBatchToWaitFor(waiting), wait),
		);
	},

	async execute(run, waited) {
		const output = outputSettings(run);
		const taskID = taskIdParameter(run);
		if (waited?.kind === 'askAgain') return [askAgainItem(run, taskID, waited)];
		const batch = waited?.batch ?? (await chooseBatch(run));
		if (!waited && !hasEnded(batch)) {
			noteRunning(run, batch);
		} else if (!waited && statusName(batch) === 'stopped') {
			warn(run, `Batch ${batch.batchID} was stopped: rows may be missing.`, {
				kind: 'batch',
				id: batch.batchID,
				all: 'were stopped, and rows may be missing',
			});
		}
		return await outputRows(run, { ...batch, taskID }, output, waited?.endSeen);
	},
};

function noteRunning(run: Run, batch: Batch): void {
	const progress = progressOf(batch);
	const begun = localTime(batch, 'startTime', run.context.getTimezone());
	hint(
		run,
		`Batch ${batch.batchID} is ${progress}: these are its rows so far.${begun ? ` It began at ${begun}.` : ''}`,
		{
			kind: 'batch',
			id: batch.batchID,
			all: 'have not ended, and these are their rows so far',
			each: begun ? `${progress} (began at ${begun})` : progress,
		},
	);
}
