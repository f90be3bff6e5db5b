import { html, type Html } from '../text/html.ts';
import { isUnfinished, status, type Batch } from '../store/batch.ts';
import { counted, grouped } from './words.ts';

const names: Record<number, string> = {
	[status.waiting]: 'Waiting',
	[status.running]: 'Running',
	[status.successful]: 'Successful',
	[status.stopped]: 'Stopped',
};

/** Whether a batch has ended by itself, and lacks pages. */
export function isIncomplete({ status: is, failedPages }: Batch): boolean {
	return is === status.successful && failedPages > 0;
}

/** Whether a batch has ended by itself, got all of its pages, and found nothing on them. */
export function hasNoRows({ status: is, failedPages, lineCount }: Batch): boolean {
	return is === status.successful && failedPages === 0 && lineCount === 0;
}

/** How a batch stands, in a word or two. */
export function statusName(batch: Batch): string {
	if (isIncomplete(batch)) return 'With failures';
	if (hasNoRows(batch)) return 'No rows';
	return names[batch.status] ?? `Status ${batch.status}`;
}

/** The class by which styles give a batch its colour. */
export function statusClass(batch: Batch): string {
	return isIncomplete(batch) || hasNoRows(batch) ? 'warn' : statusName(batch).toLowerCase();
}

/** How a batch stands, with its colour. */
export function statusBadge(batch: Batch): Html {
	return html`<span class="badge ${statusClass(batch)}">${statusName(batch)}</span>`;
}

/** What a status of a table stands for that is no success: the page of the batch says more. */
export function statusNote(batch: Batch): Html | false {
	if (batch.failedPages > 0) {
		return html`<div class="muted">${counted(batch.failedPages, 'failed page')}</div>`;
	}
	return hasNoRows(batch) && html`<div class="muted">Nothing was found</div>`;
}

/** Milliseconds that a batch has run, up to now while it runs; undefined before it has begun. */
export function runTimeOf({ startTime, runTime }: Batch): number | undefined {
	return startTime === 0 ? undefined : runTime;
}

/** The rows of a batch; of an unfinished one, "so far" for those who do not see its status. */
export function rowCount(batch: Batch): Html {
	return html`${grouped(batch.lineCount)}${isUnfinished(batch) && html`<span class="unseen"> so far</span>`}`;
}
