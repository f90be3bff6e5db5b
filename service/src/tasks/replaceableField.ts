import type { LoopStep, Step } from './task.ts';
import { isPageUrl, loopTimes, maxLoopTimes, noPageUrl } from './values.ts';

/** What the value is that a start can replace; it stands in the step's `config` under this name. */
export type ReplaceableKind = 'url' | 'text' | 'urls' | 'texts' | 'times';

/** The field of a step that a start can give another value (section 4.1). */
export interface ReplaceableField {
	kind: ReplaceableKind;
	/** By which an action parameter may name it. */
	path: `config.${ReplaceableKind}`;
	/** What the task has there; absent where the step takes the item of its loop. */
	value: string | number | string[] | undefined;
	/** Puts another value in its place; throws a ValueMistake where that is of another kind. */
	replace(value: unknown): void;
}

/** Why a value cannot stand in a step: a sentence. */
export class ValueMistake extends Error {}

/** What a start can replace in a step, and how; where there is nothing, a sentence that says why. */
export function replaceableField(step: Step): ReplaceableField | string {
	switch (step.type) {
		case 'navigate': {
			const value = 'url' in step.config ? step.config.url : undefined;
			return field('url', urlIn, value, (url) => {
				step.config = { url };
			});
		}
		case 'inputText': {
			const { selector, submit } = step.config;
			const value = 'text' in step.config ? step.config.text : undefined;
			return field('text', textIn, value, (text) => {
				step.config = { selector, text, ...(submit && { submit }) };
			});
		}
		case 'loop':
			return replaceableInLoop(step.config);
		case 'click':
		case 'wait':
		case 'extractData':
			return `a step of type "${step.type}" has no replaceable field.`;
	}
}

function replaceableInLoop(config: LoopStep['config']): ReplaceableField | string {
	if (config.loopType !== 'list') {
		if (config.loopType !== 'count' && config.timesMode === 'all') {
			return `the times of a ${config.loopType} loop are replaceable only if custom.`;
		}
		return field('times', timesIn, config.times, (times) => {
			config.times = times;
		});
	}
	switch (config.listType) {
		case 'urlList':
			return field('urls', urlsIn, config.urls, (urls) => {
				config.urls = urls;
			});
		case 'textList':
			return field('texts', textsIn, config.texts, (texts) => {
				config.texts = texts;
			});
		case 'elements':
			return 'a loop over elements has no replaceable field.';
	}
}

function field<Value extends string | number | string[]>(
	kind: ReplaceableKind,
	read: (value: unknown, path: string) => Value,
	value: Value | undefined,
	set: (value: Value) => void,
): ReplaceableField {
	const path = `config.${kind}` as const;
	return { kind, path, value, replace: (given) => set(read(given, path)) };
}

function textIn(value: unknown, path: string): string {
	if (typeof value === 'string') return value;
	throw new ValueMistake(`the value of ${path} must be a string.`);
}

function urlIn(value: unknown, path: string): string {
	const url = textIn(value, path);
	if (isPageUrl(url)) return url;
	throw new ValueMistake(noPageUrl(url));
}

function timesIn(value: unknown, path: string): number {
	const times = loopTimes.safeParse(value);
	if (times.success) return times.data;
	throw new ValueMistake(`the value of ${path} must be an integer from 1 to ${maxLoopTimes}.`);
}

function textsIn(value: unknown, path: string): string[] {
	if (isStringList(value) && value.length > 0) return value;
	throw new ValueMistake(`the value of ${path} must be an array of at least one string.`);
}

function urlsIn(value: unknown, path: string): string[] {
	return textsIn(value, path).map((url) => urlIn(url, path));
}

function isStringList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
