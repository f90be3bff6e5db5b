import { html, type Html, type HtmlValue } from '../../text/html.ts';
import { identifierKey } from '../../text/identifierKey.ts';
import { readActionParams, type ActionParam } from '../../tasks/actionParams.ts';
import { replaceableField } from '../../tasks/replaceableField.ts';
import { allSteps, type Task } from '../../tasks/task.ts';
import { counted, shortened, valueNames } from '../words.ts';

/** What is shown at most: values, and characters of each. */
const maxValues = 5;
const maxValue = 120;

/**
 * The values that a batch was started with instead of its task's (`actionParams`), each under the name that
 * n8n has for it, with the step; `task` as it is now, if it is there.
 */
export function givenValues(actionParams: string, task: Task | undefined): HtmlValue {
	const given = readActionParams(actionParams);
	if (given.length === 0) return 'those of the task';
	const left = given.length - maxValues;
	return html`<ul class="given">
		${given.slice(0, maxValues).map((each) => givenValue(each, task))}
		${left > 0 && html`<li class="muted">… and ${left} more</li>`}
	</ul>`;
}

function givenValue({ id, value }: ActionParam, task: Task | undefined): Html {
	const step =
		task && allSteps(task.steps).find((each) => identifierKey(each.id) === identifierKey(id));
	const field = step && replaceableField(step);
	const name = field === undefined || typeof field === 'string' ? '' : valueNames[field.kind];
	return html`<li>
		${name} ${valueWords(value)} <span class="muted">for step <code>${id}</code></span>
	</li>`;
}

function valueWords(value: unknown): Html {
	if (value === '') return html`an empty text`;
	// So many entries are too long already.
	const text = Array.isArray(value) ? value.slice(0, maxValue).join(', ') : String(value);
	return html`${Array.isArray(value) && `${counted(value.length, 'line')}:`}
		<code><bdi>${shortened(text, maxValue)}</bdi></code>`;
}
