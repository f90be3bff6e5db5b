import { maxCount, type Start } from '../../runs/runs.ts';
import type { regions as runRegions } from '../../store/batch.ts';
import { ValueMistake } from '../../tasks/replaceableField.ts';
import type { Task } from '../../tasks/task.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';
import { markOf, versionOf, type Entries } from '../entries.ts';
import { stepValuesOf, valueFrom } from './stepValues.ts';

/** The regions of the API, as the node names them. */
export const regions = {
	'': 'Default (any idle agent)',
	gb: 'Great Britain',
	hk: 'Hong Kong',
	jp: 'Japan',
	us: 'United States',
} satisfies Record<'' | (typeof runRegions)[number], string>;

/** The names of a start form's fields: of a step's value, and of what was shown there at first. */
export const valueName = (stepID: string) => `value.${stepID}`;
export const shownName = (stepID: string) => `shown.${stepID}`;

/** Whether another version of the task stands in the form than the one there is now. */
export function isOutdated(task: Task, entries: Entries): boolean {
	const version = entries.get('version');
	return version !== undefined && version !== versionOf(task);
}

/** Whether the value of a step is another one than the form showed at first. */
export function isChanged(stepID: string, entries: Entries): boolean {
	const entered = entries.get(valueName(stepID));
	return entered !== undefined && markOf(entered) !== entries.get(shownName(stepID));
}

/** What a start form asks for; or what is wrong, by the names of its fields. Absent fields have their defaults. */
export function startIn(
	task: Task,
	entries: Entries,
): { start: Start } | { mistakes: Map<string, string> } {
	const mistakes = new Map<string, string>();
	const region = entries.get('region') ?? '';
	if (!Object.hasOwn(regions, region)) mistakes.set('region', 'Choose one of the regions.');
	const [nodeCount, jobCount] = ['nodeCount', 'jobCount'].map((name) => {
		const text = (entries.get(name) ?? '1').trim();
		const count = /^\d+$/.test(text) ? Number(text) : NaN;
		if (!(count >= 1 && count <= maxCount))
			mistakes.set(name, 'Enter a whole number of at least 1.');
		return count;
	});
	const params = changedValues(task, entries, mistakes);
	if (mistakes.size > 0 || nodeCount === undefined || jobCount === undefined) return { mistakes };
	const actionParams = params.length > 0 ? JSON.stringify(params) : undefined;
	return { start: { taskID: task.taskID, region, nodeCount, jobCount, actionParams } };
}

function changedValues(task: Task, entries: Entries, mistakes: Map<string, string>) {
	// Values are tried out on a task that nobody else has.
	const copy = structuredClone(task);
	return stepValuesOf(copy).flatMap(({ step: { id }, field }) => {
		if (!isChanged(id, entries)) return [];
		const value = valueFrom(field, entries.get(valueName(id)) ?? '');
		try {
			field.replace(value);
		} catch (error) {
			if (!(error instanceof ValueMistake)) throw error;
			const [first = '', ...rest] = withoutPasswords(error.message);
			mistakes.set(valueName(id), `${first.toUpperCase()}${rest.join('')}`);
		}
		return [{ id, value }];
	});
}
