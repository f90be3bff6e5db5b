import { RE2JS } from 're2js';
import type { ReadRow, Row } from '../pages/page.ts';
import { isElementField, type TaskField } from '../tasks/field.ts';

/** What the values of a row come from that are not read from the page. */
export interface Surroundings {
	/** The URL or text of the round, or the text of its element. */
	loopItem: string;
	pageUrl: string;
	/** When the row was read, ISO 8601. */
	time: string;
}

const expressions = new Map<string, RE2JS>();

/**
 * The values of all fields, in their order: those that the page was read for, and those of other
 * sources; of each what its expression keeps. Nothing where there is none, also if there is a default.
 */
export function valuesOf(fields: TaskField[], read: ReadRow, around: Surroundings): Row {
	return Object.fromEntries(
		fields.map((field) => [field.id, keptOf(field, sourceValues(field, read, around))]),
	);
}

/** The same values with the defaults of those that are empty. */
export function withDefaults(fields: TaskField[], values: Row): Row {
	return Object.fromEntries(
		fields.map(({ id, default: otherwise = '' }) => [id, values[id] || otherwise]),
	);
}

function sourceValues(field: TaskField, read: ReadRow, around: Surroundings): string[] {
	if (isElementField(field)) return read[field.id] ?? [];
	return [field.source === 'constant' ? field.value : around[field.source]];
}

/** Of several elements a line each; with an expression, of those that have something to keep. */
function keptOf({ match }: TaskField, values: string[]): string {
	if (match === undefined) return values.join('\n');
	return values
		.map((value) => kept(value, match))
		.filter((value) => value !== '')
		.join('\n');
}

/** What the first group of an expression matches, or all of it if it has none. */
function kept(value: string, match: string): string {
	const matcher = expressionOf(match).matcher(value);
	if (!matcher.find()) return '';
	return matcher.group(matcher.groupCount() > 0 ? 1 : 0) ?? '';
}

function expressionOf(match: string): RE2JS {
	const known = expressions.get(match) ?? RE2JS.compile(match);
	expressions.set(match, known);
	return known;
}
