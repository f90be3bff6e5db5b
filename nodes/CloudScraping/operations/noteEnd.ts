import { statusName } from '../api/batchStatus';
import type { Batch } from '../api/wire';
import { hint, warn } from '../hints';
import { operationError } from '../run';
import type { Run } from '../run';
import { failOnStoppedName } from '../settings/waitSettings';
import type { WaitSettings } from '../settings/waitSettings';

/** Says how a batch has ended by itself; that someone else has stopped it is an error where that is wanted. */
export function noteEnd(run: Run, batch: Batch, { isOwn, failOnStopped }: WaitSettings): void {
	const status = statusName(batch);
	if (status === 'successful') return;
	if (status !== 'stopped') {
		hint(run, `Batch ${batch.batchID} ended with the status '${status}'.`, {
			kind: 'batch',
			id: batch.batchID,
			all: `ended with the status '${status}'`,
		});
		return;
	}
	if (!failOnStopped) {
		const advice = isOwn ? `'${failOnStoppedName}' makes that an error.` : undefined;
		const stopped = `Someone stopped batch ${batch.batchID}: rows may be missing.`;
		warn(run, advice === undefined ? stopped : `${stopped} ${advice}`, {
			kind: 'batch',
			id: batch.batchID,
			all: 'were stopped by someone else, and rows may be missing',
			advice,
		});
		return;
	}
	throw operationError(
		run,
		`Batch ${batch.batchID} was stopped`,
		`Someone else stopped the task. Read its rows so far with Get Data by its ID, or turn off '${failOnStoppedName}'.`,
	);
}
