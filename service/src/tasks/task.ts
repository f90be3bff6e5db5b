import { z } from 'zod';
import { field, type TaskField } from './field.ts';
import { id, isHeaderName, isHeaderValue, isProxyUrl, loopTimes, selector, url } from './values.ts';

const loopItem = {
	useLoopItem: z
		.literal(true)
		.describe(
			'Takes the URL, the text or the element of the round, instead of a value of its own.',
		),
};

const anyStep = {
	id,
	name: z.string().min(1).optional().describe('For readers of the task.'),
};

const navigate = z
	.strictObject({
		...anyStep,
		type: z.literal('navigate'),
		config: z.union([z.strictObject({ url }), z.strictObject(loopItem)]),
	})
	.describe('Opens a page.');

const typing = {
	selector,
	submit: z.boolean().optional().describe('Sends the form afterwards, as Enter does.'),
};

const inputText = z
	.strictObject({
		...anyStep,
		type: z.literal('inputText'),
		config: z.union([
			z.strictObject({
				...typing,
				text: z
					.string()
					.describe(
						'What the field is to hold; an option of a list; true or false for a box to tick.',
					),
			}),
			z.strictObject({ ...typing, ...loopItem }),
		]),
	})
	.describe('Types into a field, chooses an option, or ticks a box.');

const waitFor = selector.optional().describe('An element that must be on the page afterwards.');

const click = z
	.strictObject({
		...anyStep,
		type: z.literal('click'),
		config: z.union([
			z.strictObject({ selector, waitFor }),
			z.strictObject({ ...loopItem, waitFor }),
		]),
	})
	.describe('Follows a link or sends a form; in a browser, clicks anything.');

const wait = z
	.strictObject({
		...anyStep,
		type: z.literal('wait'),
		config: z.union([
			z.strictObject({
				milliseconds: z.int().min(1).max(600_000).describe('How long to wait, at most 600,000.'),
			}),
			z.strictObject({ selector: selector.describe('An element that must be there to go on.') }),
		]),
	})
	.describe('Waits for a time, or for an element.');

const extractData = z
	.strictObject({
		...anyStep,
		type: z.literal('extractData'),
		config: z.strictObject({
			selector: selector
				.optional()
				.describe('One row for each of these elements; absent: one row.'),
			fields: z.array(field).min(1).describe('The columns.'),
			emit: z
				.boolean()
				.optional()
				.describe(
					'false: no row comes out; the values of the first element become columns of the rows that follow in the same round of the loop.',
				),
		}),
	})
	.describe('Reads rows.');

/** What every loop has; a getter, because its steps may be loops. */
const anyLoop = z.strictObject({
	get steps() {
		return z.array(step).min(1);
	},
});

const countLoop = anyLoop
	.extend({ loopType: z.literal('count'), times: loopTimes })
	.describe('So many times, each from where the last one ended.');

const listLoop = anyLoop.extend({ loopType: z.literal('list') });
const urlLoop = listLoop
	.extend({ listType: z.literal('urlList'), urls: z.array(url).min(1) })
	.describe('Once for each URL.');
const textLoop = listLoop
	.extend({ listType: z.literal('textList'), texts: z.array(z.string()).min(1) })
	.describe('Once for each text, from the same page each time.');
const elementLoop = listLoop
	.extend({ listType: z.literal('elements'), selector })
	.describe('Once for each element, from the same page each time.');

const allTimes = { timesMode: z.literal('all').describe('To the end.') };
const customTimes = {
	timesMode: z.literal('custom').describe('So many times at most.'),
	times: loopTimes,
};

const anyPageLoop = anyLoop.extend({
	loopType: z.literal('page'),
	selector: selector.describe('The link or button to the next page.'),
});
const pageLoop = z
	.discriminatedUnion('timesMode', [anyPageLoop.extend(allTimes), anyPageLoop.extend(customTimes)])
	.describe('From page to page by "next".');

const anyScrollLoop = anyLoop.extend({
	loopType: z.literal('scroll'),
	selector: selector.optional().describe('What is scrolled; absent: the window.'),
});
const scrollLoop = z
	.discriminatedUnion('timesMode', [
		anyScrollLoop.extend(allTimes),
		anyScrollLoop.extend(customTimes),
	])
	.describe('As long as scrolling brings something new; in a browser only.');

const loop = z
	.strictObject({
		...anyStep,
		type: z.literal('loop'),
		config: z.discriminatedUnion('loopType', [
			countLoop,
			z.discriminatedUnion('listType', [urlLoop, textLoop, elementLoop]),
			pageLoop,
			scrollLoop,
		]),
	})
	.describe('Repeats its steps.');

const step = z.discriminatedUnion('type', [navigate, inputText, click, wait, loop, extractData]);

const otherHeader =
	'must be left out: it is no name of a header, or that of one that comes from elsewhere (userAgent, proxy, the request itself)';

/** How the pages of a task are asked for. */
const pageSettings = {
	page: z
		.enum(['http', 'browser'])
		.describe('http fetches HTML without its scripts; browser is Chromium or Chrome.'),
	delay: z
		.int()
		.min(0)
		.max(60_000)
		.optional()
		.describe('Milliseconds that an agent waits before it asks for a page; 0 unless set.'),
	requestsPerHost: z
		.int()
		.min(1)
		.max(100)
		.optional()
		.describe('Pages that all agents of the task ask a host for at once; 2 unless set.'),
	respectRobots: z
		.boolean()
		.optional()
		.describe('Whether pages are left out that the robots.txt of their site forbids.'),
	userAgent: z
		.string()
		.min(1)
		.refine(isHeaderValue, { error: 'must be text that a header may hold' })
		.optional()
		.describe('The name by which the agents introduce themselves.'),
	headers: z
		.record(
			z.string(),
			z.string().refine(isHeaderValue, { error: 'must be text that a header may hold' }),
		)
		.superRefine((headers, context) => {
			const name = Object.keys(headers).find((each) => !isHeaderName(each));
			if (name === undefined) return;
			context.addIssue({ code: 'custom', path: [name], message: otherHeader });
		})
		.optional()
		.describe('Headers of every request for a page.'),
	proxy: z
		.string()
		.refine(isProxyUrl, { error: 'must be the http or https URL of a proxy' })
		.optional()
		.describe(
			'The proxy through which pages are asked for, such as http://user:password@host:8080.',
		),
	timeout: z
		.int()
		.min(1_000)
		.max(300_000)
		.optional()
		.describe('Milliseconds for a page to come; 30,000 unless set.'),
	tries: z
		.int()
		.min(1)
		.max(10)
		.optional()
		.describe('How often a page is tried that may be there soon; 5 unless set.'),
};

/** A task as its file describes it: what an agent does, step by step, and on which kind of page. */
export const taskSchema = z.strictObject({
	$schema: z.string().optional().describe('Where editors find the schema of task files.'),
	taskID: id,
	name: z.string().min(1).describe('What people call the task.'),
	...pageSettings,
	steps: z.array(step).min(1).describe('What an agent does, one after the other.'),
});

export type Task = z.infer<typeof taskSchema>;
export type Step = z.infer<typeof step>;
export type WaitStep = z.infer<typeof wait>;
export type LoopStep = z.infer<typeof loop>;
export type ExtractDataStep = z.infer<typeof extractData>;
export type UrlLoop = z.infer<typeof urlLoop>;
export type TextLoop = z.infer<typeof textLoop>;
export type ElementLoop = z.infer<typeof elementLoop>;
export type PageLoop = z.infer<typeof pageLoop>;
export type ScrollLoop = z.infer<typeof scrollLoop>;

/** Every step of a task, outer steps before the steps of their loops. */
export function allSteps(steps: Step[]): Step[] {
	return steps.flatMap((step) =>
		step.type === 'loop' ? [step, ...allSteps(step.config.steps)] : [step],
	);
}

/** The columns of the rows that steps give: the fields of all Extract Data steps, in the order of the steps. */
export function fieldsOf(steps: Step[]): TaskField[] {
	return allSteps(steps).flatMap((step) => (step.type === 'extractData' ? step.config.fields : []));
}
