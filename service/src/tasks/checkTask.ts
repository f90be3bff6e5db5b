import type { z } from 'zod';
import { withDerivedIds } from './derivedIds.ts';
import { Expressions } from './expressions.ts';
import { isElementField, type TaskField } from './field.ts';
import { allSteps, givesRows, isForLater, taskSchema, type Step, type Task } from './task.ts';
import { isObject, mistakeOf, ruleOf, valueAt } from '../errors/mistakeOf.ts';
import { TaskMistake } from './taskMistake.ts';
import { refuseTooLarge } from './taskSize.ts';
import { maxMistakes } from './values.ts';
import { identifierKey } from '../text/identifierKey.ts';

/** Takes the decoded JSON of a task file and returns it as a task, with all ids; throws a TaskMistake. */
export function checkTask(file: unknown): Task {
	refuseTooLarge(file);
	const json = withDerivedIds(file);
	const read = taskSchema.safeParse(json);
	if (!read.success) throw mistakeOfAll(json, read.error.issues);
	const task = read.data;
	const seen = {
		steps: new Set<string>(),
		fields: new Set<string>(),
		expressions: new Expressions(),
	};
	checkSteps(task.steps, '/steps', {
		page: task.page,
		insideList: false,
		insideElements: false,
		scrolling: false,
		seen,
	});
	return task;
}

interface Surroundings {
	page: Task['page'];
	insideList: boolean;
	insideElements: boolean;
	/** Inside a scroll loop. */
	scrolling: boolean;
	seen: { steps: Set<string>; fields: Set<string>; expressions: Expressions };
}

function checkSteps(steps: Step[], path: string, around: Surroundings): void {
	const lastRows = steps.findLastIndex((step) => allSteps([step]).some(givesRows));
	steps.forEach((step, index) => {
		checkStep(step, `${path}/${index}`, around);
		if (isForLater(step) && index > lastRows) {
			throw new TaskMistake(
				`${path}/${index}/config/emit`,
				'is false, and no row follows in the same round, which would have these columns: put the step before the extractData that gives the rows',
			);
		}
	});
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
			checkField(field, `${path}/config/fields/${index}`, around),
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
			insideElements: config.loopType === 'list' ? overElements : around.insideElements,
			scrolling: around.scrolling || config.loopType === 'scroll',
		});
	}
}

function checkField(field: TaskField, path: string, around: Surroundings): void {
	claim(around.seen.fields, field.id, `${path}/id`, 'field');
	if (field.source === 'loopItem' && !around.insideList) {
		throw new TaskMistake(
			`${path}/source`,
			'is "loopItem", which needs a list loop around its step',
		);
	}
	const mistake =
		field.match === undefined ? undefined : around.seen.expressions.mistakeIn(field.match);
	if (mistake !== undefined) throw new TaskMistake(`${path}/match`, mistake);
	if (!isElementField(field)) return;
	if (field.all && field.selector === undefined) {
		throw new TaskMistake(`${path}/all`, 'needs a selector beside it');
	}
	const wholes = [
		field.attribute !== undefined && 'attribute',
		field.picture && 'picture',
		field.html && 'html',
	];
	const [one, other] = wholes.filter((each) => typeof each === 'string');
	if (one !== undefined && other !== undefined) {
		throw new TaskMistake(`${path}/${other}`, `cannot be beside ${one}: leave one of them out`);
	}
}

function claim(seen: Set<string>, id: string, path: string, what: string): void {
	const key = identifierKey(id);
	if (seen.has(key)) throw new TaskMistake(path, `"${id}" is the id of another ${what} already`);
	seen.add(key);
}

/** Names that are not known go first: what is missing may be one of them, misspelt. */
function mistakeOfAll(json: unknown, issues: z.core.$ZodIssue[]): TaskMistake {
	const isUnknown = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';
	const all = [
		...issues.filter((issue) => isUnknown(issue)),
		...issues.filter((issue) => !isUnknown(issue)),
	];
	const [first = new TaskMistake('', 'is not a task'), ...others] = all
		.slice(0, maxMistakes)
		.map((issue) => mistakeIn(json, issue));
	return first.with(
		others,
		all.reduce((sum, issue) => sum + notFound(issue), all.length) - maxMistakes,
	);
}

/** Mistakes like this one of which no issues were made. */
function notFound(issue: z.core.$ZodIssue): number {
	const more: unknown = issue.code === 'custom' ? issue.params?.more : undefined;
	return typeof more === 'number' ? more : 0;
}

/** What is wrong with the value for which an issue was found. */
function mistakeIn(json: unknown, issue: z.core.$ZodIssue): TaskMistake {
	const path = issue.path.map((key) => `/${String(key)}`).join('');
	const value = issue.path.reduce(valueAt, json);
	if (issue.code === 'unrecognized_keys') {
		const why = hasLoopItem(value)
			? 'cannot be beside useLoopItem: leave one of them out'
			: 'is not known here';
		return new TaskMistake(`${path}/${issue.keys[0]}`, why);
	}
	if (issue.code === 'invalid_union' && issue.discriminator === undefined) {
		return mistakeInChoice(json, issue);
	}
	// A proxy may hold a password, and a header a key.
	const isSecret = /^\/(proxy|headers)\b/.test(path);
	return new TaskMistake(path, isSecret ? ruleOf(issue) : mistakeOf(json, issue));
}

/** A step says its value itself, or takes the item of the loop: its file says which of the two. */
function mistakeInChoice(
	json: unknown,
	{ errors, path }: z.core.$ZodIssueInvalidUnion,
): TaskMistake {
	const [own = [], fromLoop = []] = errors;
	const meant = hasLoopItem(path.reduce(valueAt, json)) ? fromLoop : own;
	return mistakeOfAll(
		json,
		meant.map((issue) => ({ ...issue, path: [...path, ...issue.path] })),
	);
}

function hasLoopItem(value: unknown): boolean {
	return isObject(value) && 'useLoopItem' in value;
}
