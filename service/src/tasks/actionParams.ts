import { ServiceError } from '../errors/serviceError.ts';
import { replaceableField, ValueMistake } from './replaceableField.ts';
import { allSteps, type Step, type Task } from './task.ts';
import { hasTooManyValues, mostValues, structureOf } from '../text/jsonStructure.ts';
import { identifierKey } from '../text/identifierKey.ts';

/**
 * A copy of the task with the values of `actionParams`, a JSON array encoded as a string (section
 * 2.6), put in the place of its own; an empty string has none. Throws a ServiceError.
 */
export function withActionParams(task: Task, actionParams: string): Task {
	const changed = structuredClone(task);
	const replaced = new Set<string>();
	for (const [index, param] of readActionParams(actionParams).entries()) {
		const name = `actionParams[${index}]`;
		const step = allSteps(changed.steps).find(({ id }) => sameId(id, param.id));
		if (!step) {
			throw new ServiceError('notFound', `${name}: no step has the id "${param.id}".`);
		}
		if (replaced.has(step.id)) {
			throw new ServiceError('invalid', `${name}: step "${step.id}" has a value already.`);
		}
		replaced.add(step.id);
		replace(step, param, name);
	}
	return changed;
}

/** A value that takes the place of the task's own in a step (section 2.6). */
export interface ActionParam {
	id: string;
	path?: string | null;
	value: unknown;
}

/** Those of a start; throws a ServiceError where the text has none that could be looked for. */
export function readActionParams(actionParams: string): ActionParam[] {
	if (actionParams === '') return [];
	if (hasTooManyValues(structureOf(actionParams))) {
		throw new ServiceError('invalid', `actionParams has more than ${mostValues}.`);
	}
	let decoded: unknown;
	try {
		decoded = JSON.parse(actionParams);
	} catch {
		throw new ServiceError('unreadable', 'actionParams is not JSON.');
	}
	if (!Array.isArray(decoded)) {
		throw new ServiceError('unreadable', 'actionParams is not a JSON array.');
	}
	return decoded.map((entry: unknown, index) => {
		if (!isActionParam(entry)) {
			throw new ServiceError(
				'unreadable',
				`actionParams[${index}] is not an object with "id" (string), "value" and, if need be, "path" (string).`,
			);
		}
		return entry;
	});
}

function isActionParam(entry: unknown): entry is ActionParam {
	return (
		typeof entry === 'object' &&
		entry !== null &&
		'id' in entry &&
		typeof entry.id === 'string' &&
		'value' in entry &&
		(!('path' in entry) || entry.path === null || typeof entry.path === 'string')
	);
}

function replace(step: Step, { path, value }: ActionParam, name: string): void {
	const mistake = (what: string) => new ServiceError('invalid', `${name}: ${what}`);
	const field = replaceableField(step);
	if (typeof field === 'string') throw mistake(field);
	if (path && path !== field.path) {
		throw mistake(`the step's replaceable field is ${field.path}, not "${path}".`);
	}
	try {
		field.replace(value);
	} catch (error) {
		throw error instanceof ValueMistake ? mistake(error.message) : error;
	}
}

function sameId(a: string, b: string): boolean {
	return identifierKey(a) === identifierKey(b);
}
