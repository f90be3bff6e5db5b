import { z } from 'zod';
import { isSelector } from '../pages/http/select.ts';

/**
 * Stands for the service's own address at the beginning of a task's URL, so that demo tasks work on
 * any port.
 */
export const sitePlaceholder = /^\{site\}(?=\/)/;

export const maximumLoopTimes = 100_000;

/** True for an http(s) address, or one below the service's own (`{site}/…`). */
export function isPageUrl(url: string): boolean {
	const address = url.replace(sitePlaceholder, 'http://site');
	return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** What must be the same for two identifiers to be one: UUIDs are compared without regard to case. */
export function identifierKey(uuid: string): string {
	return uuid.toLowerCase();
}

const id = z.uuid({
	error:
		'must be a UUID (8-4-4-4-12 hexadecimal digits; the third group begins with 1 to 8, the fourth with 8, 9, a or b)',
});
const url = z
	.string()
	.refine(isPageUrl, { error: 'must be an http or https URL, or begin with {site}/' });
const selector = z.string().refine(isSelector, { error: 'must be a CSS selector' });
/** How often a loop may run. */
export const loopTimes = z.int().min(1).max(maximumLoopTimes);
const loopItem = { useLoopItem: z.literal(true) };

/** What every step has beside its type and configuration; the name is for its readers. */
const anyStep = { id, name: z.string().min(1).optional() };

const navigate = z.strictObject({
	...anyStep,
	type: z.literal('navigate'),
	config: z.union([z.strictObject({ url }), z.strictObject(loopItem)]),
});

const inputText = z.strictObject({
	...anyStep,
	type: z.literal('inputText'),
	config: z.union([
		z.strictObject({ selector, text: z.string() }),
		z.strictObject({ selector, ...loopItem }),
	]),
});

const waitFor = selector.optional();

const click = z.strictObject({
	...anyStep,
	type: z.literal('click'),
	/** `useLoopItem` clicks the element of the surrounding loop itself. */
	config: z.union([
		z.strictObject({ selector, waitFor }),
		z.strictObject({ ...loopItem, waitFor }),
	]),
});

/** Where the value of one field is found inside a row's element. */
const field = z.strictObject({
	id,
	name: z.string().min(1),
	/** Absent: the row's element itself. */
	selector: selector.optional(),
	/** Absent: the element's text. */
	attribute: z.string().min(1).optional(),
	/** Default true: fold white space as a browser shows it. */
	trim: z.boolean().optional(),
});

const extractData = z.strictObject({
	...anyStep,
	type: z.literal('extractData'),
	/** One row for each element of `selector`; without it, one for the page. */
	config: z.strictObject({ selector: selector.optional(), fields: z.array(field).min(1) }),
});

/** What every loop has; a getter, because its steps may be loops. */
const anyLoop = z.strictObject({
	get steps() {
		return z.array(step).min(1);
	},
});

const countLoop = anyLoop.extend({ loopType: z.literal('count'), times: loopTimes });

const listLoop = anyLoop.extend({ loopType: z.literal('list') });
const urlLoop = listLoop.extend({ listType: z.literal('urlList'), urls: z.array(url).min(1) });
const textLoop = listLoop.extend({
	listType: z.literal('textList'),
	texts: z.array(z.string()).min(1),
});
const elementLoop = listLoop.extend({ listType: z.literal('elements'), selector });

const allTimes = { timesMode: z.literal('all') };
const customTimes = { timesMode: z.literal('custom'), times: loopTimes };

const anyPageLoop = anyLoop.extend({ loopType: z.literal('page'), selector });
const pageLoop = z.discriminatedUnion('timesMode', [
	anyPageLoop.extend(allTimes),
	anyPageLoop.extend(customTimes),
]);

/** `selector`: what is scrolled; absent: the window. */
const anyScrollLoop = anyLoop.extend({
	loopType: z.literal('scroll'),
	selector: selector.optional(),
});
const scrollLoop = z.discriminatedUnion('timesMode', [
	anyScrollLoop.extend(allTimes),
	anyScrollLoop.extend(customTimes),
]);

const loop = z.strictObject({
	...anyStep,
	type: z.literal('loop'),
	config: z.discriminatedUnion('loopType', [
		countLoop,
		z.discriminatedUnion('listType', [urlLoop, textLoop, elementLoop]),
		pageLoop,
		scrollLoop,
	]),
});

const step = z.discriminatedUnion('type', [navigate, inputText, click, loop, extractData]);

/** A task as its file describes it: what an agent does, step by step, and on which kind of page. */
export const taskSchema = z.strictObject({
	/** Where editors find the schema of task files. */
	$schema: z.string().optional(),
	taskID: id,
	name: z.string().min(1),
	page: z.enum(['http', 'browser']),
	/** Milliseconds an agent waits before it opens a page, out of politeness. */
	delay: z.int().min(0).max(60_000).optional(),
	steps: z.array(step).min(1),
});

export type Task = z.infer<typeof taskSchema>;
export type Step = z.infer<typeof step>;
export type LoopStep = z.infer<typeof loop>;
export type ExtractDataStep = z.infer<typeof extractData>;
export type UrlLoop = z.infer<typeof urlLoop>;
export type TextLoop = z.infer<typeof textLoop>;
export type ElementLoop = z.infer<typeof elementLoop>;
export type PageLoop = z.infer<typeof pageLoop>;
export type ScrollLoop = z.infer<typeof scrollLoop>;

/** A field of a batch (section 2.4 of the specification). */
export type Field = Pick<z.infer<typeof field>, 'id' | 'name'>;

/** Every step of a task, outer steps before the steps of their loops. */
export function allSteps(steps: Step[]): Step[] {
	return steps.flatMap((step) =>
		step.type === 'loop' ? [step, ...allSteps(step.config.steps)] : [step],
	);
}

/** The columns of a task's rows: the fields of its Extract Data steps, in the order of the steps. */
export function fieldsOf(task: Task): Field[] {
	return allSteps(task.steps).flatMap((step) =>
		step.type === 'extractData' ? step.config.fields.map(({ id, name }) => ({ id, name })) : [],
	);
}
