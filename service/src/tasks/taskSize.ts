import { isObject } from '../errors/mistakeOf.ts';
import { TaskMistake } from './taskMistake.ts';

/** Columns, and steps, of a task: they are checked and shown all at once, and the columns stand in each of its batches. */
const maxColumns = 1_000;
const maxSteps = 1_000;
/** Characters of all selectors of a task, and of the names of all columns. */
const maxTexts = 200_000;

const severalTasks = 'make several tasks of it';

/** Throws a TaskMistake where the decoded JSON of a task file has more of something than is checked and shown in time. */
export function refuseTooLarge(json: unknown): void {
	if (isObject(json))
		countSteps(json.steps, '/steps', { columns: 0, steps: 0, selectors: 0, names: 0 });
}

interface Counts {
	columns: number;
	steps: number;
	selectors: number;
	names: number;
}

function countSteps(steps: unknown, path: string, counts: Counts): void {
	for (const [index, step] of entriesOf(steps)) {
		const place = `${path}/${index}`;
		counts.steps += 1;
		if (counts.steps > maxSteps) {
			throw new TaskMistake(
				place,
				`is one step too many: a task has 1,000 at most, ${severalTasks}`,
			);
		}
		const config = isObject(step) && isObject(step.config) ? step.config : {};
		countSelectors(config, `${place}/config`, counts);
		for (const [number, field] of entriesOf(config.fields)) {
			const column = `${place}/config/fields/${number}`;
			counts.columns += 1;
			if (counts.columns > maxColumns) {
				throw new TaskMistake(
					column,
					`is one column too many: a task has 1,000 at most, ${severalTasks}`,
				);
			}
			if (!isObject(field)) continue;
			countSelectors(field, column, counts);
			counts.names += lengthOf(field.name);
			if (counts.names > maxTexts) throw tooLong(`${column}/name`, 'names of the columns');
		}
		countSteps(config.steps, `${place}/config/steps`, counts);
	}
}

function countSelectors(holder: Record<PropertyKey, unknown>, path: string, counts: Counts): void {
	for (const name of ['selector', 'waitFor']) {
		counts.selectors += lengthOf(holder[name]);
		if (counts.selectors > maxTexts) throw tooLong(`${path}/${name}`, 'selectors');
	}
}

function tooLong(path: string, what: string): TaskMistake {
	return new TaskMistake(
		path,
		`is too long, with those before it: the ${what} of a task have 200,000 characters at most`,
	);
}

function lengthOf(value: unknown): number {
	return typeof value === 'string' ? value.length : 0;
}

function entriesOf(list: unknown): Iterable<[number, unknown]> {
	return Array.isArray(list) ? list.entries() : [];
}
