import { html, type Html } from '../../text/html.ts';
import { isUnfinished, type Batch } from '../../store/batch.ts';
import type { Gaps, StepSelector } from '../../store/selectorStore.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { table } from '../table.ts';
import { grouped, shortened } from '../words.ts';
import { placeLink } from './rowTable.ts';

/** Characters of an address. */
const maxAddress = 200;

/** The selectors of a batch that found nothing, or nothing on some pages, and what that usually means. */
export async function batchSelectors({ selectors }: ConsoleParts, batch: Batch): Promise<Html> {
	return html`${emptySelectors(await selectors.emptyOf(batch.id), batch)}
	${emptyPages(await selectors.emptyOnPages(batch.id), batch)}`;
}

function emptySelectors(empty: StepSelector[], batch: Batch): Html {
	if (empty.length === 0) return html``;
	return html`<section id="selectors">
		<h2>Selectors that matched nothing${isUnfinished(batch) && ' so far'}</h2>
		<p>
			Either the pages have changed, or JavaScript adds this to them, which a task with the page
			kind “browser” sees. Open one of the pages and compare. In a loop over elements, selectors
			count from the entry: those that begin with <code>:root</code> count from the page.
		</p>
		${table('Selectors that matched nothing', ['Selector', 'Used for', 'What this means', 'Step ID'], empty.map(selectorRow), 'texts')}
	</section>`;
}

/** A page, or an element of a loop, that gave rows gave something: what these lack is no sign of a site that has had enough. */
function emptyPages(gaps: Gaps[], batch: Batch): Html {
	const soFar = isUnfinished(batch) && ' so far';
	const ofPages = gaps.filter(({ field }) => !field);
	const ofColumns = gaps.filter(({ field }) => field);
	return html`${
		ofPages.length > 0 &&
		html`<section id="empty-pages">
			<h2>Pages or entries that gave nothing${soFar}</h2>
			<div class="notice warn">
				<p>
					Others had what is missing here. Open the first one: a site that limits visitors may show
					a log-in page or a captcha instead, a search may simply have no results, and an entry none
					of the rows that others have.
				</p>
				<ul>
					${ofPages.map(gapItem)}
				</ul>
			</div>
		</section>`
	}
	${
		ofColumns.length > 0 &&
		html`<section id="empty-columns">
			<h2>Columns that were empty on some pages${soFar}</h2>
			<p>
				These pages gave rows. That is all right where not every entry has it; if each should, open
				the first one.
			</p>
			<ul>
				${ofColumns.map(gapItem)}
			</ul>
		</section>`
	}`;
}

/** On how many pages, or in how many elements of loops, a selector found nothing that found something elsewhere. */
export function gapItem(gap: Gaps): Html {
	return html`<li>
		${lackOf(gap)} on ${grouped(gap.emptyPages)} of ${grouped(gap.pages)} pages
		${gap.field ? 'with rows' : 'or entries'}, first at ${placeLink(gap.firstEmpty, maxAddress)}
	</li>`;
}

function lackOf({ selector, field }: Gaps): Html {
	if (field) return html`Column <b><bdi>${shortened(field.name)}</bdi></b> was empty`;
	return selector === ''
		? html`No column had a value`
		: html`No rows or elements (<code>${shortened(selector)}</code>)`;
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
						? 'Rows were found, but this column is empty in all of them, or holds the place of what scripts bring, as “Loading…” does.'
						: 'No element was found, so this step read no rows, or its loop had nothing to go through.'
				}
			</div>
		</td>
		<td data-label="Step ID"><code>${step}</code></td>
	</tr>`;
}
