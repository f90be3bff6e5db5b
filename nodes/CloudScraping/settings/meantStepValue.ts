import type { Meant } from '../api/errors';
import { excerpt } from './fieldValues';

/** A step value that was sent: how errors call its entry, such as "Loop: Times 1", and its step. */
export interface NamedStep {
	entry: string;
	id: string;
}

/** Step values that an error names. */
const maxNamed = 5;

/**
 * Which of the step values, in the order in which they were sent, the service means by its words: the one
 * whose place (`actionParams[0]`) or step ID they have, or perhaps any; nothing where none was sent, or the
 * task is what they name.
 */
export function meantStepValue(sent: NamedStep[], msg: string, taskId: string): Meant | undefined {
	if (sent.length === 0) return undefined;
	const [, place] = /\bactionParams\W{1,2}(\d+)/i.exec(msg) ?? [];
	const one = sent.find(
		({ id }, index) => String(index) === place || (place === undefined && names(msg, id)),
	);
	if (one) {
		return {
			message: `${one.entry}: the service refused this step value`,
			advice: `The step ID entered is ${shownId(one)}. Check it on the task's page in the service's web console: it must belong to a step of this task that takes such a value.`,
		};
	}
	if (names(msg, taskId)) return undefined;
	const all = sent.slice(0, maxNamed).map((each) => `${each.entry} (step ID ${shownId(each)})`);
	const more = sent.length > maxNamed ? ` and ${sent.length - maxNamed} more` : '';
	return {
		advice: `The service may also mean a step value: ${all.join(', ')}${more}. Check the step IDs on the task's page in the service's web console.`,
	};
}

/** Whether a text has an ID, and not as a part of another one. */
function names(text: string, id: string): boolean {
	const escaped = id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'i').test(text);
}

function shownId({ id }: NamedStep): string {
	return JSON.stringify(excerpt(id));
}
