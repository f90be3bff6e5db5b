import { z } from 'zod';
import { field, type TaskField } from './field.ts';
import { pageSettings } from './pageSettings.ts';
import { id, loopTimes, name, selector, url, urls } from './values.ts';

const loopItem = {
	useLoopItem: z
		.literal(true)
		.describe(
			'true: takes the URL, the text or the element of the round, instead of a value that stands here. Needs a list loop around the step.',
		),
};

const anyStep = {
	id: id.describe(
		'A UUID by which a start gives the step another value (actionParams). Absent: one that follows from taskID and the place of the step.',
	),
	name: z.string().min(1).optional().describe('What the step is for, for readers of the task.'),
};

/** The type of a step: its description is what an editor shows where types are chosen. */
const stepType = <Name extends string>(name: Name, does: string) => z.literal(name).describe(does);

const navigate = z
	.strictObject({
		...anyStep,
		type: stepType('navigate', 'Opens a page.'),
		config: z
			.union([z.strictObject({ url }), z.strictObject(loopItem)])
			.describe(
				'The page to open: a url, or useLoopItem: true for the URL of the round, or for where its element links to.',
			),
	})
	.meta({ id: 'navigate', description: 'Opens a page.' });

const typing = {
	selector: selector.describe(
		'CSS selector of the input, textarea or select; inside of the element of the round in a loop over elements.',
	),
	submit: z.boolean().optional().describe('true: sends the form afterwards, as Enter does.'),
};

const types =
	'Types into a field in the place of what it holds, chooses an option, or ticks a box.';

const inputText = z
	.strictObject({
		...anyStep,
		type: stepType('inputText', types),
		config: z
			.union([
				z.strictObject({
					...typing,
					text: z
						.string()
						.describe(
							'What the field is to hold; of a select, the option; of a box to tick, "true" or "false".',
						),
				}),
				z.strictObject({ ...typing, ...loopItem }),
			])
			.describe('A field, and a text for it or useLoopItem: true for the text of the round.'),
	})
	.meta({ id: 'inputText', description: types });

const waitFor = selector
	.optional()
	.describe('CSS selector of an element that must be on the page afterwards.');

const clicks =
	'Follows a link, or sends the form of a button; on a page of "browser", clicks anything.';

const click = z
	.strictObject({
		...anyStep,
		type: stepType('click', clicks),
		config: z
			.union([
				z.strictObject({
					selector: selector.describe(
						'CSS selector of what is clicked: the first such element, inside of the element of the round in a loop over elements.',
					),
					waitFor,
				}),
				z.strictObject({ ...loopItem, waitFor }),
			])
			.describe(
				'What to click: a selector, or useLoopItem: true for the element of the round in a loop over elements.',
			),
	})
	.meta({ id: 'click', description: clicks });

const wait = z
	.strictObject({
		...anyStep,
		type: stepType('wait', 'Waits for a time, or for an element.'),
		config: z
			.union([
				z.strictObject({
					milliseconds: z
						.int()
						.min(1)
						.max(600_000)
						.describe('How long to wait, in milliseconds: 1 to 600,000.'),
				}),
				z.strictObject({
					selector: selector.describe('CSS selector of an element that must be there to go on.'),
				}),
			])
			.describe('What to wait for: milliseconds, or the element of a selector.'),
	})
	.meta({ id: 'wait', description: 'Waits for a time, or for an element.' });

const reads = 'Reads rows from the page: this is where the data of a task comes from.';

const extractData = z
	.strictObject({
		...anyStep,
		type: stepType('extractData', reads),
		config: z
			.strictObject({
				selector: selector
					.optional()
					.describe(
						'CSS selector of the rows: each such element makes one. Absent: one row, of the page, or of the element of the round in a loop over elements.',
					),
				fields: z
					.array(field)
					.min(1)
					.describe('The columns of the rows, and where their values come from.'),
				emit: z
					.boolean()
					.optional()
					.describe(
						'false: no row comes out; the values of the first element become columns of the rows that follow in the same round of the loop, or a row of their own if a page fails before one comes.',
					),
			})
			.describe('What the rows are, and their columns.'),
	})
	.meta({ id: 'extractData', description: reads });

/** What every loop has; a getter, because its steps may be loops. */
const anyLoop = z.strictObject({
	get steps() {
		return z.array(step).min(1).describe('What is done in each round, one after the other.');
	},
});

/** The type of a loop, with what an editor shows where types are chosen. */
const countType = z.literal('count').describe('So many times, each from where the last one ended.');
const listType = z.literal('list').describe('Once for each URL, text or element: see listType.');
const pageType = z
	.literal('page')
	.describe(
		'On this page, on the one that "next" leads to, and so on, until there is none or one that was seen before.',
	);
const scrollType = z
	.literal('scroll')
	.describe('On what there is, then after scrolling on, and so on; only with "page": "browser".');

const countLoop = anyLoop
	.extend({ loopType: countType, times: loopTimes })
	.describe('So many times, each from where the last one ended.');

const listLoop = anyLoop.extend({ loopType: listType });
const urlLoop = listLoop
	.extend({
		listType: z.literal('urlList').describe('Once for each of the urls.'),
		urls: urls.describe('The URLs; steps with useLoopItem: true take that of the round.'),
	})
	.describe('Once for each URL.');
const textLoop = listLoop
	.extend({
		listType: z
			.literal('textList')
			.describe('Once for each of the texts, from the same page each time.'),
		texts: z
			.array(z.string())
			.min(1)
			.describe(
				'The texts, such as words to search for; steps with useLoopItem: true take that of the round.',
			),
	})
	.describe('Once for each text, from the same page each time.');
const elementLoop = listLoop
	.extend({
		listType: z
			.literal('elements')
			.describe('Once for each element of the selector, from the same page each time.'),
		selector: selector.describe(
			'CSS selector of the elements; selectors of the steps count from the one of the round.',
		),
	})
	.describe('Once for each element, from the same page each time.');

const allTimes = { timesMode: z.literal('all').describe('To the end.') };
const customTimes = {
	timesMode: z.literal('custom').describe('As often as times says, at most.'),
	times: loopTimes,
};

const anyPageLoop = anyLoop.extend({
	loopType: pageType,
	selector: selector.describe('CSS selector of the link or button to the next page.'),
	says: z
		.string()
		.min(1)
		.max(200)
		.optional()
		.describe(
			'What that says, such as "Next": where the selector finds one that says something else, also on the first page, the loop ends.',
		),
});
const pageLoop = z
	.discriminatedUnion('timesMode', [anyPageLoop.extend(allTimes), anyPageLoop.extend(customTimes)])
	.describe('From page to page by "next".');

const anyScrollLoop = anyLoop.extend({
	loopType: scrollType,
	selector: selector
		.optional()
		.describe(
			'CSS selector of what is scrolled; absent: the window, or what can scroll and takes up most room.',
		),
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
		type: stepType('loop', 'Repeats its steps.'),
		config: z
			.discriminatedUnion('loopType', [
				countLoop,
				z.discriminatedUnion('listType', [urlLoop, textLoop, elementLoop]),
				pageLoop,
				scrollLoop,
			])
			.describe('Which kind of loop, what it goes over, and the steps of each round.'),
	})
	.meta({ id: 'loop', description: 'Repeats its steps.' });

const step = z
	.discriminatedUnion('type', [navigate, inputText, click, wait, loop, extractData])
	.meta({
		id: 'step',
		description:
			'One thing that an agent does: navigate, inputText, click, wait, loop or extractData.',
	});

/** A task as its file describes it: what an agent does, step by step, and on which kind of page. */
export const taskSchema = z.strictObject({
	$schema: z
		.string()
		.optional()
		.describe('Where editors find the schema of task files, such as "../task.schema.json".'),
	taskID: id.describe(
		'A UUID by which the task is started, and by which its batches are found. New ones: node -p "crypto.randomUUID()".',
	),
	name: name.describe('What people call the task.'),
	...pageSettings,
	steps: z
		.array(step)
		.min(1)
		.describe('What an agent does, one after the other; the first one usually opens a page.'),
});

export type Task = z.infer<typeof taskSchema>;
export type Step = z.infer<typeof step>;
export type NavigateStep = z.infer<typeof navigate>;
export type ClickStep = z.infer<typeof click>;
export type InputTextStep = z.infer<typeof inputText>;
export type WaitStep = z.infer<typeof wait>;
export type LoopStep = z.infer<typeof loop>;
export type ExtractDataStep = z.infer<typeof extractData>;
export type CountLoop = z.infer<typeof countLoop>;
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

/** Whether nothing follows a step on its page: it is the last one, also where it is in loops whose rounds begin on another. */
export function isLast(step: Step, steps: Step[]): boolean {
	const last = steps.at(-1);
	if (last === step) return true;
	const isOfList = last?.type === 'loop' && last.config.loopType === 'list';
	return isOfList && isLast(step, last.config.steps);
}

/** Whether the values of a step become columns of the rows that follow; it gives none itself. */
export function isForLater(step: Step): step is ExtractDataStep {
	return step.type === 'extractData' && step.config.emit === false;
}

/** Whether a step gives rows. */
export function givesRows(step: Step): boolean {
	return step.type === 'extractData' && step.config.emit !== false;
}

/** The columns of the rows that steps give: the fields of all Extract Data steps, in the order of the steps. */
export function fieldsOf(steps: Step[]): TaskField[] {
	return allSteps(steps).flatMap((step) => (step.type === 'extractData' ? step.config.fields : []));
}

/** The columns of a task's rows (section 2.4 of the specification). */
export function columnsOf(task: Task): { id: string; name: string }[] {
	return fieldsOf(task.steps).map(({ id, name }) => ({ id, name }));
}

/** A loop whose rounds follow one another, without a list of what they are for. */
export type RoundLoop = CountLoop | PageLoop | ScrollLoop;

/** How often a loop runs at most: Infinity where it runs to the end. */
export function timesOf(config: RoundLoop): number {
	return 'times' in config ? config.times : Infinity;
}
