import { NIL as noTask, v5 as derivedUuid, validate as isUuid } from 'uuid';
import { TaskMistake } from './taskMistake.ts';
import { identifierKey } from '../text/identifierKey.ts';

/**
 * A copy of the decoded JSON of a task file in which every step and field has an id. One that the file
 * leaves out is derived from the taskID and the place, so that it is the same at each start. Nothing
 * else is looked at: whatever is no task comes out as it is. Throws a TaskMistake if a derived id is
 * given to something else.
 */
export function withDerivedIds(json: unknown): unknown {
	if (!isObject(json)) return json;
	// Of a file without one, that is the mistake, and not that its steps have no ids.
	const taskID = typeof json.taskID === 'string' && isUuid(json.taskID) ? json.taskID : noTask;
	const ids = { taskID, steps: new Set<string>(), fields: new Set<string>() };
	if (!Array.isArray(json.steps)) return json;
	noteGiven(json.steps, ids);
	return { ...json, steps: derivedInSteps(json.steps, '/steps', ids) };
}

/** The ids that stand in the file. */
interface GivenIds {
	taskID: string;
	steps: Set<string>;
	fields: Set<string>;
}

function noteGiven(steps: unknown[], ids: GivenIds): void {
	for (const step of steps.filter(isObject)) {
		note(step, ids.steps);
		const config = isObject(step.config) ? step.config : {};
		if (Array.isArray(config.fields)) {
			for (const field of config.fields.filter(isObject)) note(field, ids.fields);
		}
		if (Array.isArray(config.steps)) noteGiven(config.steps, ids);
	}
}

function note({ id }: JsonObject, given: Set<string>): void {
	if (typeof id === 'string') given.add(identifierKey(id));
}

function derivedInSteps(steps: unknown[], path: string, ids: GivenIds): unknown[] {
	return steps.map((step, index) => {
		const place = `${path}/${index}`;
		if (!isObject(step)) return step;
		const withId = { ...idOf(step, place, ids.taskID, ids.steps), ...step };
		return isObject(step.config)
			? { ...withId, config: derivedInConfig(step.config, `${place}/config`, ids) }
			: withId;
	});
}

function derivedInConfig(config: JsonObject, path: string, ids: GivenIds): JsonObject {
	const { fields, steps } = config;
	return {
		...config,
		...(Array.isArray(fields) && {
			fields: fields.map((field: unknown, index) =>
				isObject(field)
					? { ...idOf(field, `${path}/fields/${index}`, ids.taskID, ids.fields), ...field }
					: field,
			),
		}),
		...(Array.isArray(steps) && { steps: derivedInSteps(steps, `${path}/steps`, ids) }),
	};
}

/** The id of a step or field that has none of its own; `given` are those of its kind. */
function idOf(owner: JsonObject, place: string, taskID: string, given: Set<string>): JsonObject {
	if (owner.id !== undefined) return {};
	const id = derivedUuid(place, taskID);
	if (given.has(id)) {
		throw new TaskMistake(
			place,
			`has no id, and the one that follows from its place, "${id}", is given to another one: give it an id of its own`,
		);
	}
	return { id };
}

type JsonObject = Record<string, unknown>;

function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
