import { Ajv, type ErrorObject } from 'ajv';
import { validate as isUuid } from 'uuid';
import type { Step, Task } from './task.ts';
import { isSelector } from '../pages/http/select.ts';
import { sitePlaceholder, taskSchema } from './taskSchema.ts';

const ajv = new Ajv({ discriminator: true, verbose: true, strictRequired: false });
ajv.addFormat('uuid', isUuid);
ajv.addFormat('selector', isSelector);
ajv.addFormat('pageUrl', isPageUrl);
const fitsSchema = ajv.compile<Task>(taskSchema);

/** A mistake in a task: `path` is a JSON pointer into its file. */
export class TaskMistake extends Error {
	readonly path: string;

	constructor(path: string, message: string) {
		super(`${path === '' ? 'The file' : path} ${message}`);
		this.path = path;
	}
}

/** Takes the decoded JSON of a task file and returns it as a task; throws a TaskMistake. */
export function checkTask(json: unknown): Task {
	if (!fitsSchema(json)) throw mistakeOf(fitsSchema.errors ?? []);
	const seen = { steps: new Set<string>(), fields: new Set<string>() };
	checkSteps(json.steps, '/steps', {
		page: json.page,
		insideList: false,
		insideElements: false,
		scrolling: false,
		seen,
	});
	return json;
}

/** True for an http(s) address, or one below the service's own (`{site}/…`). */
export function isPageUrl(url: string): boolean {
	const address = url.replace(sitePlaceholder, 'http://site');
	return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

interface Surroundings {
	page: Task['page'];
	insideList: boolean;
	insideElements: boolean;
	/** Inside a scroll loop. */
	scrolling: boolean;
	seen: { steps: Set<string>; fields: Set<string> };
}

function checkSteps(steps: Step[], path: string, around: Surroundings): void {
	steps.forEach((step, index) => checkStep(step, `${path}/${index}`, around));
}

function checkStep(step: Step, path: string, around: Surroundings): void {
	claim(around.seen.steps, step.id, `${path}/id`, 'step');
	if ('useLoopItem' in step.config && !around.insideList) {
		throw new TaskMistake(`${path}/config/useLoopItem`, 'needs a list loop around its step');
	}
	if (step.type === 'navigate' && around.scrolling) {
		throw new TaskMistake(
			path,
			'opens a page inside a scroll loop, which cannot go on from where it was afterwards: read the links with this task, and open them with a list loop over URLs in another one',
		);
	}
	if (step.type === 'click' && 'useLoopItem' in step.config && !around.insideElements) {
		throw new TaskMistake(
			`${path}/config/useLoopItem`,
			'needs a loop over elements around its step: a URL or a text cannot be clicked',
		);
	}
	if (step.type === 'extractData') {
		step.config.fields.forEach((field, index) =>
			claim(around.seen.fields, field.id, `${path}/config/fields/${index}/id`, 'field'),
		);
	}
	if (step.type === 'loop') {
		if (step.config.loopType === 'scroll' && around.page === 'http') {
			throw new TaskMistake(
				`${path}/config/loopType`,
				'is "scroll", which an http page cannot do: set "page" to "browser"',
			);
		}
		const { config } = step;
		const overElements = config.loopType === 'list' && config.listType === 'elements';
		checkSteps(config.steps, `${path}/config/steps`, {
			...around,
			insideList: around.insideList || config.loopType === 'list',
			insideElements: around.insideElements || overElements,
			scrolling: around.scrolling || config.loopType === 'scroll',
		});
	}
}

function claim(seen: Set<string>, id: string, path: string, what: string): void {
	const key = id.toLowerCase();
	if (seen.has(key)) throw new TaskMistake(path, `"${id}" is the id of another ${what} already`);
	seen.add(key);
}

/** The deepest mistake says most: those of the schema's outer branches only follow from it. */
function mistakeOf(errors: ErrorObject[]): TaskMistake {
	const [first] = errors
		.filter((error) => !['if', 'oneOf'].includes(error.keyword))
		.sort((a, b) => depth(b) - depth(a));
	if (!first) return new TaskMistake('', 'is not a task');
	const { instancePath, keyword, message, params, data } = first;
	if (keyword === 'additionalProperties') {
		return new TaskMistake(`${instancePath}/${params.additionalProperty}`, 'is not known here');
	}
	if (keyword === 'discriminator') {
		return new TaskMistake(
			`${instancePath}/${params.tag}`,
			`is ${JSON.stringify(params.tagValue)}, which is not known`,
		);
	}
	if (keyword === 'false schema') {
		return new TaskMistake(instancePath, 'cannot be beside useLoopItem: leave one of them out');
	}
	return new TaskMistake(instancePath, `${ruleOf(first) ?? message}, but is ${shorten(data)}`);
}

/** What a value must be, where the schema's own words say too little. */
function ruleOf({ keyword, schema }: ErrorObject): string | undefined {
	if (keyword === 'enum' && Array.isArray(schema))
		return `must be ${schema.map(shorten).join(' or ')}`;
	if (keyword === 'const') return `must be ${shorten(schema)}`;
	return keyword === 'format' ? formatRules[String(schema)] : undefined;
}

const formatRules: Record<string, string> = {
	uuid: 'must be a UUID (8-4-4-4-12 hexadecimal digits; the third group begins with 1 to 8, the fourth with 8, 9, a or b)',
	selector: 'must be a CSS selector',
	pageUrl: 'must be an http or https URL, or begin with {site}/',
};

function depth(error: ErrorObject): number {
	return error.instancePath.split('/').length;
}

function shorten(value: unknown): string {
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
