import { html, type Html } from '../../text/html.ts';
import { maxCount } from '../../runs/runs.ts';
import type { Task } from '../../tasks/task.ts';
import { markOf, versionOf, type Entries } from '../entries.ts';
import { isChanged, regions, shownName, valueName } from './startEntries.ts';
import { stepWords } from './stepWords.ts';
import { stepValuesOf, type StepValue } from './stepValues.ts';
import { taskPath } from '../paths.ts';
import { counted } from '../words.ts';

/** What a start form shows besides its task. */
export interface StartFormState {
	/** Names the start that the form leads to. */
	token: string;
	/** What was entered before; fields that were not have their defaults. */
	entries: Entries;
	/** What is wrong, by the names of the fields. */
	mistakes: ReadonlyMap<string, string>;
	/** Why nothing was started, apart from that. */
	message?: string;
	/** What `{site}` stands for. */
	site: string;
}

/** A form with what n8n's node asks for at a start of the task. */
export function startForm(task: Task, state: StartFormState): Html {
	const { token, entries, mistakes } = state;
	const values = stepValuesOf(task);
	const own = values.filter(({ field }) => field.value !== undefined);
	const given = values.filter(({ field }) => field.value === undefined);
	const ownNames = new Set(own.map(({ step }) => valueName(step.id)));
	const isOpen = [...mistakes.keys()].some((name) => !ownNames.has(name));
	return html`<form
		class="card start"
		method="post"
		action="${taskPath(task.taskID)}/start"
		autocomplete="off"
		data-once
	>
		<h2>Start this task</h2>
		${whatIsWrong(state)}
		<input type="hidden" name="token" value="${token}" />
		<input type="hidden" name="version" value="${versionOf(task)}" />
		${own.map((value, index) => valueEntry(value, state, numberAmong(own, index)))}
		<details ${isOpen && html`open`}>
			<summary>More settings: region, agents, jobs</summary>
			<label for="region">Region</label>
			<select id="region" name="region" aria-describedby="region-hint" ${invalid('region', state)}>
				${Object.entries(regions).map(
					([code, name]) =>
						html`<option value="${code}" ${entries.get('region') === code && html`selected`}>
							${name}
						</option>`,
				)}
			</select>
			${hintOf('region', 'Where the agents run.', state)}
			${countEntry('nodeCount', 'Max concurrent agents', 'How many work on the batch at once.', state)}
			${countEntry('jobCount', 'Jobs', 'Parts to split the batch into: only a list of URLs or texts can be split.', state)}
			${given.map((value) => valueEntry(value, state))}
		</details>
		<button class="primary">Start</button>
	</form>`;
}

function whatIsWrong({ mistakes, message }: StartFormState): Html | undefined {
	const text =
		message ??
		(mistakes.size > 0 && `Nothing was started: correct ${counted(mistakes.size, 'entry')} below.`);
	return text ? html`<p class="mistake" role="alert">${text}</p>` : undefined;
}

function countEntry(name: string, label: string, hint: string, state: StartFormState): Html {
	return html`<label for="${name}">${label}</label>
		<input
			id="${name}"
			name="${name}"
			type="number"
			min="1"
			max="${maxCount}"
			required
			value="${state.entries.get(name) ?? '1'}"
			aria-describedby="${name}-hint"
			${invalid(name, state)}
		/>
		${hintOf(name, hint, state)}`;
}

/** Of several addresses to open, which one it is, from 1 on. */
function numberAmong(values: StepValue[], index: number): number | undefined {
	const alike = values.filter(({ field }) => field.kind === 'url');
	const value = values[index];
	return value && alike.length > 1 && alike.includes(value) ? alike.indexOf(value) + 1 : undefined;
}

/** What a step does; the value that stands below is not said. */
function labelOf({ step, field }: StepValue, state: StartFormState, number?: number): Html {
	if (field.kind === 'url' && field.value !== undefined) {
		return html`Page to open${number !== undefined && ` (${number})`}`;
	}
	return stepWords(step, { site: state.site, names: new Map() });
}

function valueEntry(entry: StepValue, state: StartFormState, number?: number): Html {
	const { step, field, text } = entry;
	const name = valueName(step.id);
	const label = html`<label for="${name}">${labelOf(entry, state, number)}</label>`;
	if (text === undefined) {
		return html`<p>${stepWords(step, { site: state.site, names: new Map() })}</p>
			<p class="hint">
				One of its texts is empty or has line breaks: replace them from n8n, with JSON.
			</p>`;
	}
	const value = isChanged(step.id, state.entries) ? state.entries.get(name) : text;
	const hint = hintFor(value ?? '', field, state.site);
	const isDescribed = hint !== '' || state.mistakes.has(name);
	const same = html`id="${name}" name="${name}"
	${isDescribed && html`aria-describedby="${name}-hint"`} spellcheck="false" ${invalid(name, state)}`;
	const isList = Array.isArray(field.value);
	const hasLines = isList || text.includes('\n');
	const rows = Math.min(Math.max(text.split('\n').length + 1, 3), 7);
	return html`${label}
		<input type="hidden" name="${shownName(step.id)}" value="${markOf(text)}" />
		${
			hasLines
				? html`<textarea ${same} rows="${rows}" wrap="off">${`\n${value}`}</textarea>`
				: html`<input
						${same}
						value="${value}"
						${field.kind === 'times' && html`inputmode="numeric"`}
					/>`
		}
		${isDescribed && hintOf(name, hint, state)}`;
}

/** What the label and the value do not say. */
const hints = {
	url: '',
	text: '',
	times: 'How many times, or how many pages.',
	urls: 'A URL on each line.',
	texts: 'A text on each line.',
};

/** In an address to be changed, what stands for the service is said: it is not to be filled in. */
function hintFor(shown: string, { kind, value }: StepValue['field'], site: string): string {
	const isOwn = /^\{site\}\//m.test(shown);
	return [
		hints[kind],
		isOwn && `{site} stands for this service: ${site}. In n8n, write that in its place.`,
		value === undefined && 'Leave it empty for the current item of the loop.',
	]
		.filter(Boolean)
		.join(' ');
}

function hintOf(name: string, hint: string, state: StartFormState): Html {
	const mistake = state.mistakes.get(name);
	return html`<p id="${name}-hint" class="${mistake === undefined ? 'hint' : 'mistake'}">
		${mistake ?? hint}
	</p>`;
}

function invalid(name: string, { mistakes }: StartFormState): Html | undefined {
	if (!mistakes.has(name)) return undefined;
	const isFirst = [...mistakes.keys()][0] === name;
	return html`aria-invalid="true" ${isFirst && html`autofocus`}`;
}
