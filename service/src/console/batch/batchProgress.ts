import { z } from 'zod';
import { html, type Html, type HtmlValue } from '../../text/html.ts';
import { servedRegions } from '../../runs/unserved.ts';
import { isUnfinished, status, type Batch } from '../../store/batch.ts';
import type { BatchLogStore } from '../../store/batchLogStore.ts';
import type { JobProgress } from '../../store/jobStore.ts';
import { hasNoRows, isIncomplete, runTimeOf, statusBadge } from '../batchStatus.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { copyable, counted, durationOf, grouped, timeOf } from '../words.ts';
import { givenValues } from './givenValues.ts';

/** How a batch stands: its state, its figures, how far it is, and what it was started with. */
export async function batchProgress(parts: ConsoleParts, batch: Batch): Promise<Html> {
	const { jobs, batches, tasks, logs } = parts;
	const start = await batches.startOf(batch.id);
	const progress = await jobs.progress(batch.id);
	const runTime = runTimeOf(batch);
	return html`
		<div class="card">
			<dl class="figures">
				${figure('Status', html`${statusBadge(batch)} ${hasNoRows(batch) && (await whyNone(parts, batch))}`)}
				${figure('Rows', grouped(batch.lineCount))} ${figure('Duplicates', duplicatesIn(batch))}
				${figure('Failed pages', failedPages(batch))}
				${figure('Duration', runTime === undefined ? '–' : durationOf(runTime))}
			</dl>
			${progressLine(batch, progress)} ${isUnfinished(batch) && (await retryLine(logs, batch))}
			<dl class="facts">
				${figure('Batch ID', copyable(String(batch.id), 'the batch ID'))}
				${figure('Created', timeOf(batch.createTime))}
				${figure('Started', batch.startTime ? timeOf(batch.startTime) : 'not yet')}
				${figure('Ended', batch.endTime ? timeOf(batch.endTime) : 'not yet')}
				${figure('Jobs done', `${grouped(progress.jobsDone)} of ${grouped(progress.jobs)}`)}
				${figure('Max concurrent agents', grouped(batch.nodeCount))}
				${figure('Region', batch.region || 'any')}
				${figure('Request ID', html`<code>${batch.requestID}</code>`)}
				${start && figure('Step values', givenValues(start.actionParams, tasks.find(batch.taskID)))}
			</dl>
		</div>
		${isUnfinished(batch) && (await unservedNotice(parts, batch))}
		${
			batch.endReason !== '' &&
			html`<p class="notice bad"><b>Why it ended:</b> <bdi>${batch.endReason}</bdi></p>`
		}
	`;
}

/** What has led to no rows, as far as that is known. */
async function whyNone({ selectors }: ConsoleParts, { id }: Batch): Promise<Html> {
	const empty = (await selectors.emptyOf(id)).length;
	return html`<span class="hint"
		>${
			empty > 0
				? html`<a href="#selectors">${counted(empty, 'selector')}</a> found nothing`
				: 'no step found a row'
		}</span
	>`;
}

/** How a batch has ended, in a sentence. */
export function endOf(batch: Batch): string {
	const done = isIncomplete(batch) ? 'is done, with failures' : 'is done';
	const how = batch.status === status.successful ? done : 'was stopped';
	const failed = batch.failedPages > 0 ? `, ${counted(batch.failedPages, 'failed page')}` : '';
	return `The batch ${how}: ${counted(batch.lineCount, 'row')}${failed}.`;
}

function figure(name: string, value: HtmlValue): Html {
	return html`<div>
		<dt>${name}</dt>
		<dd>${value}</dd>
	</div>`;
}

/** Rows that are there again are among the rows. */
function duplicatesIn({ duplicatedCount, lineCount }: Batch): HtmlValue {
	if (duplicatedCount === 0) return '0';
	return html`${grouped(duplicatedCount)} of ${grouped(lineCount)}
		<span class="hint">in the rows and files, too</span>`;
}

function failedPages({ failedPages }: Batch): HtmlValue {
	if (failedPages === 0) return '0';
	return html`<a class="bad" href="#failures">${grouped(failedPages)}</a>`;
}

function progressLine(batch: Batch, { items, itemsDone }: JobProgress): HtmlValue {
	const text = items > 0 && `${grouped(itemsDone)} of ${counted(items, 'list item')} done`;
	if (!isUnfinished(batch)) {
		const isCutShort = batch.status === status.stopped && text;
		return isCutShort && html`<p class="progress muted">Stopped with ${text}.</p>`;
	}
	if (batch.status === status.waiting) {
		return html`<p class="progress muted">Waiting for a free agent.</p>`;
	}
	return html`<p class="progress">
		${
			items > 0
				? html`<progress aria-label="Progress" max="${items}" value="${itemsDone}"></progress>`
				: html`<progress aria-label="Progress"></progress>`
		}
		<span class="muted">${text || 'The number of pages is not known in advance.'}</span>
	</p>`;
}

/** Why nothing happens: its region has no agents, or has lost them. */
async function unservedNotice(parts: ConsoleParts, { region }: Batch): Promise<HtmlValue> {
	if (region === '' || servedRegions(await parts.presence.list()).has(region)) return undefined;
	return html`<p class="notice warn">
		Nobody works on this batch now: no process with agents serves its region <b>${region}</b>. It
		goes on when one does; <a href="/console/agents">Agents</a> says more.
	</p>`;
}

/** Why nothing seems to happen: a page is tried again, and nothing else has come in the meantime. */
async function retryLine(logs: BatchLogStore, { id }: Batch): Promise<HtmlValue> {
	const [newest] = (await logs.newest(id, 1)).lines;
	if (newest?.message !== 'page failed, trying again') return undefined;
	const said = retry.safeParse(JSON.parse(newest.details));
	return (
		said.success &&
		html`<p class="muted">
			A page failed and will be tried again soon: try ${grouped(said.data.try + 1)} of
			${grouped(said.data.tries)}. The log below says why.
		</p>`
	);
}

const retry = z.object({ try: z.int(), tries: z.int() });
