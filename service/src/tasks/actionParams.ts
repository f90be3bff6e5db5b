import { allSteps, type Step, type Task } from './task.ts';
import { identifierKey, isPageUrl, loopTimes, maximumLoopTimes } from './values.ts';

/** Why the values given for steps cannot be used. */
export class ActionParamsMistake extends Error {
	readonly reason: 'unreadable' | 'invalid' | 'unknownStep';

	constructor(reason: ActionParamsMistake['reason'], message: string) {
		super(message);
		this.reason = reason;
	}
}

/**
 * A copy of the task with the values of `actionParams`, a JSON array encoded as a string (section
 * 2.6), put in the place of its own; an empty string has none. Throws an ActionParamsMistake.
 */
export function withActionParams(task: Task, actionParams: string): Task {
	const changed = structuredClone(task);
	const replaced = new Set<string>();
	for (const [index, param] of parse(actionParams).entries()) {
		const name = `actionParams[${index}]`;
		const step = allSteps(changed.steps).find(({ id }) => sameId(id, param.id));
		if (!step) {
			throw new ActionParamsMistake('unknownStep', `${name}: no step has the id "${param.id}".`);
		}
		if (replaced.has(step.id)) {
			throw new ActionParamsMistake('invalid', `${name}: step "${step.id}" has a value already.`);
		}
		replaced.add(step.id);
		replace(step, param, name);
	}
	return changed;
}

interface ActionParam {
	id: string;
	path?: string | null;
	value: unknown;
}

function parse(actionParams: string): ActionParam[] {
	if (actionParams === '') return [];
	let decoded: unknown;
	try {
		decoded = JSON.parse(actionParams);
	} catch {
		throw new ActionParamsMistake('unreadable', 'actionParams is not JSON.');
	}
	if (!Array.isArray(decoded)) {
		throw new ActionParamsMistake('unreadable', 'actionParams is not a JSON array.');
	}
	return decoded.map((entry: unknown, index) => {
		if (!isActionParam(entry)) {
			throw new ActionParamsMistake(
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

/** What can be replaced (section 4.1), by the type of the step. */
function replace(step: Step, param: ActionParam, name: string): void {
	const target = new Target(param, name);
	switch (step.type) {
		case 'navigate':
			step.config = { url: target.url('config.url') };
			return;
		case 'inputText':
			step.config = { selector: step.config.selector, text: target.text('config.text') };
			return;
		case 'loop':
			replaceInLoop(step.config, target);
			return;
		case 'click':
		case 'wait':
		case 'extractData':
			throw target.mistake(`a step of type "${step.type}" has no replaceable field.`);
	}
}

function replaceInLoop(config: (Step & { type: 'loop' })['config'], target: Target): void {
	if (config.loopType === 'count') {
		config.times = target.times('config.times');
	} else if (config.loopType !== 'list') {
		if (config.timesMode === 'all') {
			throw target.mistake(
				`the times of a ${config.loopType} loop are replaceable only if custom.`,
			);
		}
		config.times = target.times('config.times');
	} else if (config.listType === 'urlList') {
		config.urls = target.urls('config.urls');
	} else if (config.listType === 'textList') {
		config.texts = target.texts('config.texts');
	} else {
		throw target.mistake('a loop over elements has no replaceable field.');
	}
}

/** One action parameter, read as the type that its step's field has. */
class Target {
	readonly #param: ActionParam;
	readonly #name: string;

	constructor(param: ActionParam, name: string) {
		this.#param = param;
		this.#name = name;
	}

	mistake(message: string): ActionParamsMistake {
		return new ActionParamsMistake('invalid', `${this.#name}: ${message}`);
	}

	text(path: string): string {
		const value = this.#valueAt(path);
		if (typeof value !== 'string') throw this.mistake(`the value of ${path} must be a string.`);
		return value;
	}

	url(path: string): string {
		const value = this.text(path);
		if (!isPageUrl(value)) throw this.mistake(`"${value}" is not an http or https URL.`);
		return value;
	}

	times(path: string): number {
		const value = loopTimes.safeParse(this.#valueAt(path));
		if (value.success) return value.data;
		throw this.mistake(`the value of ${path} must be an integer from 1 to ${maximumLoopTimes}.`);
	}

	texts(path: string): string[] {
		const value = this.#valueAt(path);
		if (!isStringList(value) || value.length === 0) {
			throw this.mistake(`the value of ${path} must be an array of at least one string.`);
		}
		return value;
	}

	urls(path: string): string[] {
		const value = this.texts(path);
		const bad = value.find((url) => !isPageUrl(url));
		if (bad !== undefined) throw this.mistake(`"${bad}" is not an http or https URL.`);
		return value;
	}

	#valueAt(path: string): unknown {
		const given = this.#param.path ?? '';
		if (given !== '' && given !== path) {
			throw this.mistake(`the step's replaceable field is ${path}, not "${given}".`);
		}
		return this.#param.value;
	}
}

function isStringList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function sameId(a: string, b: string): boolean {
	return identifierKey(a) === identifierKey(b);
}
