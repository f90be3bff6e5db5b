import { html, type Html } from '../../text/html.ts';
import { replaceableField, type ReplaceableField } from '../../tasks/replaceableField.ts';
import type { Step } from '../../tasks/task.ts';
import { addressOf } from '../../tasks/values.ts';
import { addressLink, isWebAddress } from '../batch/rowTable.ts';
import { roundOf, stepWords, type Around, type RoundItem } from './stepWords.ts';
import { copyable, counted, shortened, valueNames } from '../words.ts';

/**
 * The steps of a task as nested lists: what each does, and what a start can replace in it, by its id. The
 * others need none.
 */
export function stepTree(steps: Step[], around: Around, round?: RoundItem): Html {
	return html`<ol class="steps">
		${steps.map((step) => stepItem(step, around, round))}
	</ol>`;
}

function stepItem(step: Step, around: Around, round?: RoundItem): Html {
	const { site } = around;
	const field = replaceableField(step);
	return html`<li>
		<div class="step">
			<p class="does">${stepWords(step, around, round)}</p>
			${step.name !== undefined && html`<p class="muted">${shortened(step.name)}</p>`}
			${typeof field !== 'string' && valueFacts(step, field, site)}
		</div>
		${step.type === 'loop' && stepTree(step.config.steps, around, roundOf(step, round))}
	</li>`;
}

function valueFacts({ id }: Step, field: ReplaceableField, site: string): Html {
	return html`<dl class="step-facts">
		<dt>Step ID</dt>
		<dd>${copyable(id, 'the step ID')}</dd>
		<dt>Step value</dt>
		<dd>${valueNames[field.kind]} <code class="muted">${field.path}</code></dd>
		<dt>Default</dt>
		<dd>${defaultOf(field, site)}</dd>
	</dl>`;
}

/** A text; a link, where it is the address of a page, also one of the service itself. */
function defaultText(text: string, site: string): Html {
	const shown = html`<code>${shortened(addressOf(text, site), 1_000)}</code>`;
	// Whoever looks may know the service by another name.
	const address = addressOf(text, '');
	return address !== text || isWebAddress(text) ? addressLink(address, shown) : shown;
}

/** Entries of a list that are shown at most. */
const maxEntries = 100;

function defaultOf({ value, kind }: ReplaceableField, site: string): Html {
	if (value === undefined) return html`<span class="muted">the current item of the loop</span>`;
	if (value === '') return html`<span class="muted">an empty text</span>`;
	if (!Array.isArray(value)) return defaultText(String(value), site);
	const left = value.length - maxEntries;
	return html`<details>
		<summary>${counted(value.length, kind === 'urls' ? 'URL' : 'text')}</summary>
		<ol class="entries">
			${value.slice(0, maxEntries).map((entry) => html`<li>${defaultText(entry, site)}</li>`)}
		</ol>
		${left > 0 && html`<p class="muted">… and ${left} more: they are in the file.</p>`}
	</details>`;
}
