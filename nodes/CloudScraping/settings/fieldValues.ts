import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isObject } from '../api/json';
import { operationError } from '../run';
import type { Run, Where } from '../run';
import { Incomplete, isNothing, parameter } from './expressions';

/** What the user has entered into the fields of a form. */
export interface Entered extends Where {
	/**
	 * The value of a field, whatever an expression has made of it; its default when it is not set. Throws
	 * for an expression that yields nothing: that means neither the default nor an empty value.
	 */
	valueOf: (property: INodeProperties) => unknown;
	/** Whether the field is set, even if its expression yields nothing. */
	has: (property: INodeProperties) => boolean;
}

/** A field of which the user chooses values. */
export interface Choices<T extends string | number> extends INodeProperties {
	options: Array<{ name: string; value: T; description?: string }>;
}

/** A field of which the user chooses one value. */
export interface Choice<T extends string | number> extends Choices<T> {
	default: T;
}

/** An expression that yields the name of the chosen value, for a subtitle on the canvas. */
export function nameOfChosen(
	parameter: string,
	options: Array<Pick<INodePropertyOptions, 'name' | 'value'>>,
): string {
	const names = Object.fromEntries(options.map(({ name, value }) => [String(value), name]));
	return `={{ (${JSON.stringify(names)})[$parameter["${parameter}"]] }}`;
}

/** The parameters of the node for an input item. */
export function parametersOf(run: Run): Entered {
	const where = { context: run.context, itemIndex: run.itemIndex };
	return {
		...where,
		valueOf: (property) =>
			something(where, property, parameter(run, property.name, property.default)),
		has: () => true,
	};
}

/** What is wrong with a field for which `isNothing` holds. */
export function nothingIn({ displayName }: INodeProperties, value: unknown): string {
	if (Number.isNaN(value)) return `${displayName} is no number: its expression gives NaN`;
	return value instanceof Incomplete
		? `${displayName} is incomplete: its expression ${excerpt(value.expression)} returns nothing`
		: `${displayName} is empty: its expression returns nothing`;
}

function something(where: Where, property: INodeProperties, value: unknown): unknown {
	if (!isNothing(value)) return value;
	throw operationError(
		where,
		nothingIn(property, value),
		value instanceof Incomplete
			? "Correct the expression, or end it with ?? '' to allow an empty text. Nothing was sent."
			: 'Correct the expression, or enter a value. Nothing was sent.',
	);
}

/** The collection "Options" of the node for an input item. */
export function optionsOf(run: Run): Entered {
	return enteredOptions(run, parameter(run, 'options', {}));
}

/** The fields of a collection that the user has added to it. */
export function enteredOptions({ context, itemIndex }: Where, collection: unknown): Entered {
	const added = isObject(collection) ? collection : {};
	const where = { context, itemIndex };
	return {
		...where,
		valueOf: (property) =>
			Object.hasOwn(added, property.name)
				? something(where, property, added[property.name])
				: property.default,
		has: ({ name }) => Object.hasOwn(added, name),
	};
}

/** A number within the bounds of its field, and a whole one where the field takes no decimals. */
export function numberIn(entered: Entered, property: INodeProperties): number {
	const { displayName, typeOptions } = property;
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions ?? {};
	const value = entered.valueOf(property);
	const number = numberOf(value);
	const isWhole = numberPrecision === 0;
	const fits = isWhole ? Number.isSafeInteger(number) : Number.isFinite(number);
	if (number !== undefined && fits && number >= minValue && number <= maxValue) return number;
	const kind = isWhole ? 'a whole number' : 'a number';
	const range =
		maxValue === Infinity ? `of at least ${minValue}` : `from ${minValue} to ${maxValue}`;
	throw operationError(
		entered,
		`${displayName} must be ${kind} ${range}, not ${shown(value)}`,
		correction(`${kind} ${range}`),
	);
}

/** How people write a number: "0x10" and "1e3" would be taken for one as well, and be paid for. */
const decimal = /^[+-]?\d+(\.\d+)?$/;

/** A number, or the decimal number that a text says; undefined for any other value. */
export function numberOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : value;
	return typeof number === 'number' ? number : undefined;
}

/** True or false; an expression may also yield their names. */
export function yesOrNo(entered: Entered, property: INodeProperties): boolean {
	const value = entered.valueOf(property);
	const named = textOf(value).toLowerCase();
	if (value === true || named === 'true') return true;
	if (value === false || named === 'false') return false;
	throw operationError(
		entered,
		`${property.displayName} must be true or false, not ${shown(value)}`,
		correction('true or false'),
	);
}

/** One of the values that the user can choose. */
export function chosen<T extends string | number>(entered: Entered, property: Choice<T>): T {
	return oneOf(entered, property, entered.valueOf(property));
}

/** Several of the values that the user can choose; an expression may yield one without a list. */
export function allChosen<T extends string | number>(entered: Entered, property: Choices<T>): T[] {
	return [listIn(entered.valueOf(property))].flat().map((value) => oneOf(entered, property, value));
}

function oneOf<T extends string | number>(
	where: Where,
	{ displayName, options }: Choices<T>,
	value: unknown,
): T {
	const known = options.find(
		(option) => isTextual(value) && String(option.value) === textOf(value),
	);
	if (known !== undefined) return known.value;
	const choices = options.map((option) =>
		typeof option.value === 'number' ? `${option.value} (${option.name})` : option.value || 'empty',
	);
	throw operationError(
		where,
		`${displayName} must be one of ${choices.join(', ')}, not ${shown(value)}`,
		correction('one of these values'),
	);
}

/** Text without white space around it. What is no text is refused, not taken for its name or for an empty one. */
export function textIn(entered: Entered, property: INodeProperties): string {
	const value = entered.valueOf(property);
	if (isTextual(value)) return textOf(value);
	throw operationError(
		entered,
		`${property.displayName} must be text, not ${shown(value)}`,
		correction('a text'),
	);
}

/** What to do about a value that a field does not take; `wanted` is one that it takes. */
function correction(wanted: string): string {
	return `Correct the expression, or enter ${wanted}. Nothing was sent.`;
}

/** Whether a value can stand for a text: nobody means "Infinity" or "true". */
export function isTextual(value: unknown): value is string | number {
	return typeof value === 'string' || Number.isFinite(value);
}

/**
 * A list of texts: an array, where an expression may yield an array for one entry as well, a JSON array
 * as text, or one text with a name a line or between commas. Empty texts are left out; a value that is no text is
 * refused, because without it the list would mean something else.
 */
export function textList(entered: Entered, property: INodeProperties): string[] {
	const value = listIn(entered.valueOf(property));
	const entries: unknown[] = typeof value === 'string' ? value.split(/[\n,]/) : [value].flat(2);
	const texts = entries.map((entry) => {
		if (isTextual(entry)) return textOf(entry);
		throw operationError(
			entered,
			`${property.displayName} must be a list of texts, not ${shown(value)}`,
			'Correct the expression of this option, or remove the option.',
		);
	});
	return texts.filter((text) => text !== '');
}

/** A text that is a JSON array, as AI agents send it, as that array; any other value as it is. */
export function listIn(value: unknown): unknown {
	if (typeof value !== 'string' || !value.trim().startsWith('[')) return value;
	try {
		const parsed: unknown = JSON.parse(value);
		return parsed;
	} catch {
		return value;
	}
}

/** A value as trimmed text; nothing for a value that is none. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** A value as errors quote it: JSON has no words for some numbers. */
export function shown(value: unknown): string {
	if (value === undefined || value === '') return 'empty';
	return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** Characters of a value that an error quotes. */
const maxExcerptLength = 100;

/** The beginning of a value, as much as errors quote. */
export function excerpt(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
	return text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength)}…` : text;
}
