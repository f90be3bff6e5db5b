import type { PageField, Reading } from '../pages/page.ts';
import { isOfPage } from '../pages/scopedSelector.ts';
import { isElementField } from '../tasks/field.ts';
import {
	allSteps,
	fieldsOf,
	givesRows,
	type ElementLoop,
	type ExtractDataStep,
	type LoopStep,
	type Step,
} from '../tasks/task.ts';

/**
 * What a round reads for its rows on the page where it begins, and behind that what these rows take over from
 * elsewhere on it; where no row comes of that page, what it reads there for the rows of others. A loop that reads
 * no rows adds to a list, which the steps behind it read, and waits for what it adds. What is read after a step
 * that changes the page is not of that page.
 */
export function readingsOf(steps: Step[], behind: Step[] = []): Reading[] {
	const read = [...readOf(steps)];
	if (read.length === 0) {
		return [...(readsRows(steps) ? [] : listsIn(behind)), ...steps.flatMap(readingOfWait)];
	}
	const forRows = read.filter(({ isForRows }) => isForRows);
	if (forRows.length === 0) return read.map(({ reading }) => reading);
	const beside = read.filter(({ isForRows }) => !isForRows);
	return [
		...forRows.map(({ reading }) => reading),
		...beside.map(({ reading }) => ({ ...reading, isBeside: true })),
	];
}

/**
 * What its elements read anywhere on the page behind clicks, as the month of a calendar whose days are clicked: pages may
 * have elements that are alike.
 */
export function readingsBehind(steps: Step[]): Reading[] {
	return steps.flatMap(({ type, config }) => {
		if (type !== 'loop') return [];
		if (config.loopType !== 'list' || config.listType !== 'elements')
			return readingsBehind(config.steps);
		const onPage = stepsOnPage(config.steps);
		const first = onPage.findIndex((step) => changesThePage(step.type));
		return first < 0 ? [] : onPage.slice(first).flatMap(readingsOfPage);
	});
}

/** Those before another page is opened, those of loops among them. */
function stepsOnPage(steps: Step[]): Step[] {
	const left = steps.findIndex(({ type }) => type === 'navigate');
	const onPage = left < 0 ? steps : steps.slice(0, left);
	return onPage.flatMap((step) => (step.type === 'loop' ? stepsOnPage(step.config.steps) : [step]));
}

/** What is read by selectors of the whole page. */
function readingsOfPage({ type, config }: Step): Reading[] {
	if (type !== 'extractData') return [];
	const reading = readingOfRows(config);
	if (!reading) return [];
	const isOwn = config.selector !== undefined && isOfPage(config.selector);
	const fields = reading.fields.filter(
		({ selector }) => isOwn || (selector !== undefined && isOfPage(selector)),
	);
	return fields.length > 0
		? [{ selector: isOwn ? config.selector : undefined, fields, isBehind: true }]
		: [];
}

/** The list that a loop without rows adds to: what is read of it behind the loop, else what the loop waits for. */
export function listOf(steps: Step[], behind: Step[]): Reading[] {
	const lists = listsIn(behind);
	return lists.length > 0 ? lists : readingsOf(steps);
}

/** Whether any of these steps reads rows. */
export function readsRows(steps: Step[]): boolean {
	return allSteps(steps).some(({ type }) => type === 'extractData');
}

function listsIn(steps: Step[]): Reading[] {
	return [...readOf(steps)]
		.filter(({ reading, isForRows }) => isForRows && reading.selector !== undefined)
		.map(({ reading }) => reading);
}

interface Read {
	reading: Reading;
	isForRows: boolean;
}

/** Returns whether the page is still the one before these steps. */
function* readOf(steps: Step[]): Generator<Read, boolean> {
	for (const step of steps) {
		const { type, config } = step;
		if (changesThePage(type)) return false;
		if (type === 'extractData') {
			const reading = readingOfRows(config);
			if (reading) yield { reading, isForRows: givesRows(step) };
		} else if (type === 'loop') {
			if (config.loopType === 'list' && config.listType === 'elements') {
				yield { reading: readingOfElements(config), isForRows: true };
			} else if (addsToList(config)) {
				continue;
			} else if (!(yield* readOf(config.steps)) || config.loopType === 'page') return false;
		}
	}
	return true;
}

/** Whether its clicks make the list longer that steps behind it read, as those on "load more" do. */
function addsToList({ loopType, steps }: LoopStep['config']): boolean {
	const isByClicks = loopType === 'page' || loopType === 'count';
	return (
		isByClicks && !readsRows(steps) && !allSteps(steps).some(({ type }) => type === 'navigate')
	);
}

export function changesThePage(type: Step['type']): boolean {
	return type === 'navigate' || type === 'click' || type === 'inputText';
}

function readingOfWait({ type, config }: Step): Reading[] {
	return type === 'wait' && 'selector' in config
		? [{ selector: config.selector, fields: [text] }]
		: [];
}

const text: PageField = { id: 'text' };

function readingOfRows({ selector, fields }: ExtractDataStep['config']): Reading | undefined {
	const read = fields.filter(isElementField);
	if (read.length > 0) return { selector, fields: read };
	return selector === undefined ? undefined : { selector, fields: [text] };
}

/** An element says which one it is by its text, by where it leads, or by what is read inside of it. */
function readingOfElements({ selector, steps }: ElementLoop): Reading {
	const last = steps.findIndex(({ type }) => changesThePage(type));
	const fields = [
		text,
		{ id: 'address', attribute: 'href' },
		{ id: 'link', selector: 'a[href]', attribute: 'href' },
		...fieldsOf(last < 0 ? steps : steps.slice(0, last)).filter(isElementField),
	];
	return { selector, fields };
}
