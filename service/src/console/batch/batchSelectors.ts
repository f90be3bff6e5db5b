import { html, type Html } from '../../html.ts';
import type { Batch } from '../../store/batch.ts';
import type { StepSelector } from '../../store/selectorStore.ts';
import { isUnfinished } from '../batchStatus.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { table } from '../table.ts';

/** The selectors of a batch that found nothing, if there are any, and what that usually means. */
export function batchSelectors({ selectors }: ConsoleParts, batch: Batch): Html {
	const empty = selectors.emptyOf(batch.id);
	if (empty.length === 0) return html``;
	return html`<section id="selectors">
		<h2>Selectors that matched nothing${isUnfinished(batch) && ' so far'}</h2>
		<p>
			Usually the pages have changed, or JavaScript adds this to them: a task with the page kind
			“browser” sees that. Open one of the pages and compare.
		</p>
		${table('Selectors that matched nothing', ['Selector', 'Used for', 'What this means', 'Step ID'], empty.map(selectorRow), 'texts')}
	</section>`;
}

function selectorRow({ step, selector, field }: StepSelector): Html {
	return html`<tr>
		<td>
			<div class="value">
				${selector === '' ? html`<span class="muted">none: the row itself</span>` : html`<code>${selector}</code>`}
			</div>
		</td>
		<td>
			<div class="value">
				${field ? html`column <b><bdi>${field.name}</bdi></b>` : 'rows or a loop'}
			</div>
		</td>
		<td>
			<div class="value">
				${
					field
						? 'Rows were found, and this column is empty in each of them.'
						: 'No element was found, so this step read no rows, or its loop had nothing to go through.'
				}
			</div>
		</td>
		<td data-label="Step ID"><code>${step}</code></td>
	</tr>`;
}
