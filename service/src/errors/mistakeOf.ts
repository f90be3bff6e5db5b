import type { z } from 'zod';

/** What is wrong with the value for which a schema has found an issue: "must be a whole number, but is 1.5". */
export function mistakeOf(json: unknown, issue: z.core.$ZodIssue): string {
	const value = issue.path.reduce(valueAt, json);
	return value === undefined ? 'is missing' : `${ruleOf(issue)}, but is ${shown(value)}`;
}

export function valueAt(value: unknown, key: PropertyKey): unknown {
	return isObject(value) ? value[key] : undefined;
}

export function isObject(value: unknown): value is Record<PropertyKey, unknown> {
	return typeof value === 'object' && value !== null;
}

/** What a value must be. */
export function ruleOf(issue: z.core.$ZodIssue): string {
	if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
	if (issue.code === 'invalid_value') return `must be ${either(issue.values)}`;
	if (issue.code === 'invalid_union' && 'options' in issue && issue.options) {
		return `must be ${either(issue.options)}`;
	}
	if (issue.code === 'too_small') {
		const isEmpty = issue.origin === 'array' || issue.origin === 'string';
		return isEmpty ? 'must not be empty' : `must be at least ${issue.minimum}`;
	}
	if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
	return issue.message;
}

const kinds: Partial<Record<string, string>> = {
	array: 'a list',
	boolean: 'true or false',
	int: 'a whole number',
	number: 'a number',
	object: 'an object',
	record: 'an object',
	string: 'a text',
};

function either(values: unknown[]): string {
	return values.map(shown).join(' or ');
}

/** Of a list or an object what it is: from outside it may be of any size and depth. */
function shown(value: unknown): string {
	if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
	if (isObject(value)) return 'an object';
	if (value === Infinity || value === -Infinity) return 'a number too large to be read';
	const isLong = typeof value === 'string' && value.length > 60;
	return isLong ? `${JSON.stringify(value.slice(0, 60))}…` : (JSON.stringify(value) ?? 'nothing');
}
