import { html, type Html } from '../../text/html.ts';
import { status } from '../../store/batch.ts';
import type { FailedPage } from '../../store/failureStore.ts';
import { valuesOf } from '../../store/row.ts';
import type { StepSelector } from '../../store/selectorStore.ts';
import { columnsOf, type Task } from '../../tasks/task.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';
import { distinctColumns } from '../../tasks/distinctColumns.ts';
import type { BoundedTrial } from '../../runs/trial.ts';
import { gapItem } from '../batch/batchSelectors.ts';
import { loneLoop, lonePageNotice, warningNotice } from '../batch/batchWarnings.ts';
import { table } from '../table.ts';
import { counted, placeInWords, shortened } from '../words.ts';

/** Failed pages that are shown at most. */
const maxFailures = 20;

/** Characters from which a value is shown in part, in two lines; and those of it that can be shown. */
const longCell = 40;
const maxCell = 2_000;

/** What came of a trial that was to bring `wanted` rows at most, in `seconds` at most. */
export function trialResult(
	task: Task,
	trial: BoundedTrial,
	{ wanted, seconds, heading = 'Try' }: { wanted: number; seconds: number; heading?: string },
): Html {
	const { rows, failures, emptySelectors, gaps, lonePages, warnings, batch } = trial;
	const left = batch.failedPages - maxFailures;
	const sum = sumOf(trial, wanted, seconds);
	return html`<section>
			<h2>${heading}</h2>
			<p>${sum}</p>
			${rows.length > 0 && rowTable(task, rows)}
			${
				batch.failedPages > 0 &&
				notice('bad', `${counted(batch.failedPages, 'page')} failed`, [
					...failures.slice(0, maxFailures).map(failedPage),
					...(left > 0 ? [html`<li>… and ${left} more</li>`] : []),
				])
			}
			${
				emptySelectors.length > 0 &&
				notice(
					'warn',
					`${counted(emptySelectors.length, 'selector')} found nothing`,
					emptySelectors.map(emptySelector),
				)
			}
			${
				gaps.length > 0 &&
				notice(
					'warn',
					`${counted(gaps.length, 'selector')} found nothing on some pages, or in some entries`,
					gaps.map(gapItem),
				)
			}
			${
				lonePages.length > 0 &&
				html`<h3>${loneLoop}</h3>
					${lonePageNotice(lonePages)}`
			}
			${warnings.length > 0 && warningNotice(warnings)}
		</section>
		${announced(sum)}`;
}

/** `kind`: a class of the style sheet, or none. */
function notice(kind: string, heading: string, items: Html[]): Html {
	return html`<div class="notice ${kind}">
		<h3>${heading}</h3>
		<ul>
			${items}
		</ul>
	</div>`;
}

/** Has a text read to people who do not see where it is. */
export function announced(text: string): Html {
	return html`<div id="announcement" hx-swap-oob="innerHTML">${text}</div>`;
}

/** How many rows there are, and whether the task has more. */
function sumOf({ rows, batch, isTimedOut }: BoundedTrial, wanted: number, seconds: number): string {
	const count = counted(rows.length, 'row');
	if (batch.status === status.successful && batch.lineCount <= wanted)
		return `${count}; the task came to its end.`;
	if (batch.lineCount >= wanted) return `The first ${count}. Run the task to get all of them.`;
	if (isTimedOut)
		return `${count} in ${seconds} seconds, the limit here. Run the task to get all of them.`;
	return `${count}, then it was stopped.`;
}

function rowTable(task: Task, rows: string[]): Html {
	const columns = distinctColumns({ fields: columnsOf(task) });
	return table(
		'First rows',
		columns.map(({ name }) => shortened(name)),
		rows
			.map((row) => valuesOf(row))
			.map(
				(values) =>
					html`<tr>
						${columns.map(({ id }) => html`<td>${cell(values.get(id) ?? '')}</td>`)}
					</tr>`,
			),
		'tried',
	);
}

/** Long texts begin in two lines, so that the rows stay one: a click shows them whole, and so does the mouse. */
function cell(value: string): Html {
	const text = shortened(value, maxCell);
	return text.length > longCell
		? html`<details class="long"><summary title="${text}">${text}</summary></details>`
		: html`<div class="short">${text}</div>`;
}

function failedPage({ address, what, reason, tries }: FailedPage): Html {
	const often = tries > 1 && ` (${tries} tries)`;
	const where = address || placeInWords(what);
	// Many a reason names the place itself.
	const place = !reason.includes(where) && html`<code>${quoted(where)}</code>: `;
	return html`<li>${place}${quoted(reason)}${often}</li>`;
}

function emptySelector({ selector, field }: StepSelector): Html {
	return html`<li>
		${selector === '' ? 'the row itself' : html`<code>${shortened(selector)}</code>`},
		${field ? html`column <b>${shortened(field.name)}</b>` : 'for rows or a loop'}
	</li>`;
}

function quoted(text: string): string {
	return shortened(withoutPasswords(text), 500);
}
