import { isObject } from '../api/json';
import type { Run } from '../run';

/** Stands for the value of a field whose text lacks what one of its expressions was to put there. */
export class Incomplete {
	readonly expression: string;

	constructor(expression: string) {
		this.expression = expression;
	}

	/** Errors quote it as what the expression has yielded. */
	toJSON(): null {
		return null;
	}
}

/** What an expression yields that has found nothing, or has reckoned with nothing. */
export function isNothing(value: unknown): boolean {
	return (
		value === undefined || value === null || Number.isNaN(value) || value instanceof Incomplete
	);
}

/**
 * A parameter of the node for an input item. Where an expression within a text yields nothing, n8n puts
 * an empty text there: an address would lead to another page. Such a text becomes `Incomplete`.
 */
export function parameter(run: Run, name: string, byDefault: unknown): unknown {
	const { context, itemIndex } = run;
	const value: unknown = context.getNodeParameter(name, itemIndex, byDefault);
	const raw: unknown = context.getNodeParameter(name, itemIndex, byDefault, {
		rawExpressions: true,
	});
	return checked(run, raw, value);
}

/** The value that n8n has made of a raw one, which has the same shape down to its expressions. */
function checked(run: Run, raw: unknown, value: unknown): unknown {
	if (typeof raw === 'string') {
		const expression = expressionsWithin(raw).find((one) => yieldsNothing(run, one));
		return expression === undefined ? value : new Incomplete(expression);
	}
	if (Array.isArray(raw) && Array.isArray(value)) {
		return value.map((entry: unknown, index) => checked(run, raw[index], entry));
	}
	if (!isObject(raw) || !isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [key, checked(run, raw[key], entry)]),
	);
}

/** A time that cannot be read becomes a text that says so; an expression that fails yields nothing either. */
function yieldsNothing({ context, itemIndex }: Run, expression: string): boolean {
	try {
		const value: unknown = context.evaluateExpression(expression, itemIndex);
		return isNothing(value) || /^Invalid Date(Time)?$/.test(String(value));
	} catch {
		return true;
	}
}

/**
 * The expressions that a text has around them or beside one another, with their braces. They begin and
 * end where they do for n8n: at the first braces with an even number of backslashes before them.
 */
function expressionsWithin(raw: string): string[] {
	if (!raw.startsWith('=')) return [];
	const text = raw.slice(1);
	const expressions: string[] = [];
	let start: number | undefined;
	for (const { index, 1: backslashes, 2: braces } of text.matchAll(/(\\*)(\{\{|\}\})/g)) {
		const sought = start === undefined ? '{{' : '}}';
		if (braces !== sought || backslashes.length % 2 === 1) continue;
		const at = index + backslashes.length;
		if (start !== undefined) expressions.push(text.slice(start, at + braces.length));
		start = start === undefined ? at : undefined;
	}
	// n8n takes what is not closed for an expression, too.
	if (start !== undefined) expressions.push(text.slice(start));
	return expressions[0] === text ? [] : expressions;
}
