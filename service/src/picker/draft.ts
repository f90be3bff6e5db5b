import { isDeepStrictEqual } from 'node:util';
import { v4 as newUuid } from 'uuid';
import { pictureAttributes, type PictureAttribute } from '../pages/pictureAttributes.ts';
import { isElementField, type ElementField, type TaskField } from '../tasks/field.ts';
import type { FoundColumn } from './document/foundColumn.ts';
import type { ExtractDataStep, LoopStep, Step, Task } from '../tasks/task.ts';

/** What is read into a column: the text of an element, where it links to, its picture, or its time for machines. */
export const takenKinds = ['text', 'href', 'src', 'datetime'] as const;
export type Taken = (typeof takenKinds)[number];

/** A column of a draft. `selector`: inside of an entry, or on the page; undefined: the entry itself. */
export interface DraftColumn {
	id: string;
	name: string;
	selector: string | undefined;
	taken: Taken;
	/** Of several things in an entry all are read, a line each; absent: the first. */
	all?: true | undefined;
	/** The only attribute that its file reads for a picture; absent: whichever has the address. */
	picture?: PictureAttribute;
	/** The selectors for what else it can hold, while that is known. */
	others?: FoundColumn['selectors'];
}

/** What leads to the next page, or brings more of the list. */
export interface DraftNext {
	selector: string;
	/** What it says, where nothing but a place tells it from other links. */
	says?: string | undefined;
	/** How many pages are read; undefined: all. */
	maxPages: number | undefined;
	/** Whether it adds to the list, which then is read in the end. */
	adds?: true | undefined;
}

/** A task while it is pointed together. */
export interface Draft {
	taskID: string;
	name: string;
	page: Task['page'];
	/** The page that was pointed at. */
	url: string;
	/** The selector of the entries; undefined: the page is one. */
	entries: string | undefined;
	columns: DraftColumn[];
	/** What leads to the next page. */
	next: DraftNext | undefined;
	/** The link in an entry to the page that says more of it, and what is read there. */
	detail: { link: string | undefined; columns: DraftColumn[] } | undefined;
	/** The ids of steps, so that they stay what they are when the task is opened again. */
	stepIds: Record<StepRole, string>;
	/** What the task says besides: how its pages are asked for. */
	settings: Omit<Task, 'taskID' | 'name' | 'page' | 'steps'>;
}

type StepRole = 'open' | 'pages' | 'wait' | 'list' | 'rows' | 'follow' | 'detail';

/** A draft of nothing yet. */
export function newDraft(url: string, page: Task['page'], name: string): Draft {
	return {
		taskID: newUuid(),
		name,
		page,
		url,
		entries: undefined,
		columns: [],
		next: undefined,
		detail: undefined,
		stepIds: {
			open: newUuid(),
			pages: newUuid(),
			wait: newUuid(),
			list: newUuid(),
			rows: newUuid(),
			follow: newUuid(),
			detail: newUuid(),
		},
		settings: {},
	};
}

/** The task that a draft stands for, as its file says it; undefined while it has no column. */
export function taskOf(draft: Draft): Task | undefined {
	const { taskID, name, page, url, entries, next, settings, stepIds } = draft;
	const reading = readingSteps(draft);
	if (!reading) return undefined;
	const open: Step = { id: stepIds.open, type: 'navigate', config: { url } };
	const through = (next: DraftNext, inside: Step[]): Step => ({
		id: stepIds.pages,
		type: 'loop',
		config: pageLoop(next, inside),
	});
	const read = (): Step[] => {
		if (next === undefined) return reading;
		if (!next.adds || entries === undefined) return [through(next, reading)];
		const wait: Step = { id: stepIds.wait, type: 'wait', config: { selector: entries } };
		return [through(next, [wait]), ...reading];
	};
	return { ...settings, taskID, name, page, steps: [open, ...read()] };
}

function pageLoop({ selector, says, maxPages }: DraftNext, steps: Step[]): PageLoopStep['config'] {
	const loop = { loopType: 'page', selector, ...(says !== undefined && { says }), steps } as const;
	return maxPages === undefined
		? { ...loop, timesMode: 'all' }
		: { ...loop, timesMode: 'custom', times: maxPages };
}

/** What was pointed at for a draft, to see whether that has changed. */
export function pointedFor({ url, page, entries, columns, next, detail }: Draft): string {
	const found = [columns.map(fieldOf), detail?.link, detail?.columns.map(fieldOf)];
	return JSON.stringify([url, page, entries, next, detail !== undefined, ...found]);
}

function readingSteps(draft: Draft): Step[] | undefined {
	const { entries, columns, detail, stepIds } = draft;
	if (!detail || detail.columns.length === 0) {
		if (columns.length === 0) return undefined;
		return [extract(stepIds.rows, columns, { selector: entries })];
	}
	if (entries === undefined) return undefined;
	const follow: Step =
		detail.link === undefined
			? { id: stepIds.follow, type: 'navigate', config: { useLoopItem: true } }
			: { id: stepIds.follow, type: 'click', config: { selector: detail.link } };
	const steps: Step[] = [
		...(columns.length > 0 ? [extract(stepIds.rows, columns, { emit: false })] : []),
		follow,
		extract(stepIds.detail, detail.columns, {}),
	];
	return [
		{
			id: stepIds.list,
			type: 'loop',
			config: { loopType: 'list', listType: 'elements', selector: entries, steps },
		},
	];
}

function extract(
	id: string,
	columns: DraftColumn[],
	{ selector, emit }: { selector?: string; emit?: false },
): ExtractDataStep {
	return {
		id,
		type: 'extractData',
		config: {
			...(selector !== undefined && { selector }),
			...(emit === false && { emit }),
			fields: columns.map(fieldOf),
		},
	};
}

/** What a task reads for a column. */
export function fieldOf({ id, name, selector, taken, all, picture }: DraftColumn): ElementField {
	const field = { id, name, ...(selector !== undefined && { selector }), ...(all && { all }) };
	if (taken === 'text') return field;
	if (taken !== 'src') return { ...field, attribute: taken };
	if (picture === undefined) return { ...field, picture: true };
	const isList = picture.endsWith('srcset');
	return { ...field, attribute: picture, ...(isList && { match: firstAddress }) };
}

/** What a list of addresses begins with, up to its description or the next one. */
const firstAddress = '^\\S+[^\\s,]';

/** The draft that a task is made of; undefined if it does what cannot be pointed at. */
export function draftOf(task: Task): Draft | undefined {
	const draft = readDraft(task);
	// Whatever the reading has left out would be lost when the draft is saved.
	return draft && isDeepStrictEqual(taskOf(draft), task) ? draft : undefined;
}

function readDraft({ taskID, name, page, steps, ...settings }: Task): Draft | undefined {
	const [open, outer, behind] = steps;
	if (open?.type !== 'navigate' || !('url' in open.config) || !outer) return undefined;
	const draft = { ...newDraft(open.config.url, page, name), taskID, settings };
	draft.stepIds.open = open.id;
	let inner: Step | undefined = outer;
	if (isPageLoop(outer)) {
		draft.stepIds.pages = outer.id;
		const { config } = outer;
		const { selector, says } = config;
		const maxPages = config.timesMode === 'custom' ? config.times : undefined;
		const [first] = config.steps;
		const adds = first?.type === 'wait';
		if (adds) draft.stepIds.wait = first.id;
		inner = adds ? behind : first;
		draft.next = { selector, ...(says !== undefined && { says }), maxPages, ...(adds && { adds }) };
	}
	if (inner?.type === 'extractData') readRows(draft, inner);
	else if (inner && isElementLoop(inner)) readDetail(draft, inner);
	return draft;
}

function readRows(draft: Draft, { id, config }: ExtractDataStep): void {
	draft.stepIds.rows = id;
	draft.entries = config.selector;
	draft.columns = draftColumns(config.fields);
}

function readDetail(draft: Draft, { id, config }: ElementLoopStep): void {
	draft.stepIds.list = id;
	draft.entries = config.selector;
	const detail = config.steps.at(-1);
	const follow = config.steps.at(-2);
	const [first] = config.steps;
	if (first !== detail && first?.type === 'extractData') {
		draft.stepIds.rows = first.id;
		draft.columns = draftColumns(first.config.fields);
	}
	if (detail?.type !== 'extractData' || !follow) return;
	draft.stepIds.detail = detail.id;
	draft.stepIds.follow = follow.id;
	const link =
		follow.type === 'click' && 'selector' in follow.config ? follow.config.selector : undefined;
	draft.detail = { link, columns: draftColumns(detail.config.fields) };
}

/** Those that can be pointed at. */
function draftColumns(fields: TaskField[]): DraftColumn[] {
	return fields.filter(isElementField).map(({ id, name, selector, all, attribute, picture }) => {
		const column = { id, name, selector, ...(all && { all }) };
		if (picture) return { ...column, taken: 'src' };
		const only = pictureAttributes.find((each) => each === attribute);
		if (only) return { ...column, taken: 'src', picture: only };
		const isKnown = attribute === 'href' || attribute === 'datetime';
		return { ...column, taken: isKnown ? attribute : 'text' };
	});
}

type PageLoopStep = LoopStep & { config: { loopType: 'page' } };
type ElementLoopStep = LoopStep & { config: { loopType: 'list'; listType: 'elements' } };

function isPageLoop(step: Step): step is PageLoopStep {
	return step.type === 'loop' && step.config.loopType === 'page';
}

function isElementLoop(step: Step): step is ElementLoopStep {
	return (
		step.type === 'loop' && step.config.loopType === 'list' && step.config.listType === 'elements'
	);
}
