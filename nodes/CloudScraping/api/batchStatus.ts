import { batchStatus, decimalIn } from './wire';
import type { Batch, StatusName } from './wire';

const statusNames = new Map<unknown, StatusName>([
	[batchStatus.waiting, 'waiting'],
	[batchStatus.running, 'running'],
	[batchStatus.successful, 'successful'],
	[batchStatus.stopped, 'stopped'],
]);

/** The status of a batch in words (section 3); `unknown` for a value that is not listed there. */
export function statusName(batch: Batch): StatusName {
	return statusNames.get(batch.status) ?? 'unknown';
}

/** How far a batch is that has not ended, after "it is". */
export function progressOf(batch: Batch): string {
	const name = statusName(batch);
	return name === 'unknown' ? 'of unknown status' : `still ${name}`;
}

/** Whether a batch will change no more: an unknown status counts when the batch has an end time. */
export function hasEnded(batch: Batch): boolean {
	const name = statusName(batch);
	if (name === 'unknown') return batch.endTime !== undefined && Number(batch.endTime) > 0;
	return name === 'successful' || name === 'stopped';
}

/** Whether the answer to a stop says that the batch has ended: an end that was listed before is a planned one. */
export function saysEnd(stopped: Batch, listed: Batch): boolean {
	const [end, planned] = [stopped, listed].map(({ endTime }) => decimalIn(endTime) ?? 0);
	return hasEnded(stopped) || (end > 0 && end !== planned);
}
