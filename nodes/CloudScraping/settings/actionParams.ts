import { isObject } from '../api/json';
import type { ActionParam } from '../api/wire';
import { numberOf } from './fieldValues';

/** A step value that cannot be sent; the message names the entry. */
export class StepValueError extends Error {
	override name = 'StepValueError';
}

/** Action parameters from a JSON array of `{id, path?, value}`, as text or already parsed. */
export function paramsFromJson(json: unknown): ActionParam[] {
	const parsed = typeof json === 'string' ? parse(json) : json;
	if (!Array.isArray(parsed)) {
		throw new StepValueError(
			`The step values must be a JSON array like [{"id": "…", "value": "…"}], not ${excerpt(json)}`,
		);
	}
	return unique(
		parsed.map((entry: unknown, index) => {
			const name = `Step value ${index + 1}`;
			if (!isObject(entry)) throw new StepValueError(`${name} is not an object with id and value`);
			const id = text(entry.id, name, 'id');
			const { path: given = null } = entry;
			if (given !== null && typeof given !== 'string') {
				throw new StepValueError(`${name}: path must be a text like config.url`);
			}
			const path = given?.trim() ?? '';
			return { id, ...(path !== '' && { path }), value: jsonValue(entry.value, name) };
		}),
	);
}

/** The `actionParams` of a start request, or nothing when no step value was given. */
export function encodeParams(params: ActionParam[]): string | undefined {
	return params.length === 0 ? undefined : JSON.stringify(params);
}

/** Refuses two values for one field of a step. */
export function unique(params: ActionParam[]): ActionParam[] {
	const seen = new Set<string>();
	for (const { id, path } of params) {
		const key = JSON.stringify([id, path ?? '']);
		if (seen.has(key)) {
			throw new StepValueError(
				`Step ${id} has two values for ${path ? `the field ${path}` : 'its default field'}`,
			);
		}
		seen.add(key);
	}
	return params;
}

function parse(json: string): unknown {
	try {
		return json.trim() === '' ? [] : JSON.parse(json);
	} catch {
		return undefined;
	}
}

/** Characters of a value that an error quotes. */
const longestExcerpt = 100;

function excerpt(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
	return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}

/** Whatever is to be typed or sent as text: an object as its JSON, nothing for no value. */
export function anyText(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Text that an object cannot stand for. */
export function scalarText(value: unknown, entry: string): string {
	if (typeof value !== 'object' || value === null) return anyText(value);
	throw new StepValueError(`${entry} must be a text, not ${JSON.stringify(value)}`);
}

/** Text that says something, without white space around it. */
export function text(value: unknown, entry: string, field: string): string {
	const trimmed = scalarText(value, `${entry}: ${field}`).trim();
	if (trimmed === '') throw new StepValueError(`${entry}: ${field} is empty`);
	return trimmed;
}

/** A whole number, or the text of one, from `min`. */
export function wholeNumber(value: unknown, entry: string, field: string, min = -Infinity): number {
	const number = numberOf(value);
	if (number !== undefined && Number.isSafeInteger(number) && number >= min) return number;
	if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
		throw new StepValueError(
			`${entry}: ${field} is too large: whole numbers go up to ${Number.MAX_SAFE_INTEGER}`,
		);
	}
	throw new StepValueError(
		`${entry}: ${field} must be a whole number${min > -Infinity ? ` from ${min}` : ''}, not ${JSON.stringify(value) ?? 'empty'}`,
	);
}

/** One entry a line, or the array that an expression yields, whose texts are sent as they are. */
export function list(value: unknown, entry: string): string[] {
	const texts = Array.isArray(value)
		? value.map((item, index) => listItem(item, `${entry}, item ${index + 1}`))
		: scalarText(value, entry)
				.split(/\r?\n/)
				.map((line) => line.trim())
				.filter((line) => line !== '');
	if (texts.length === 0) throw new StepValueError(`${entry}: the list is empty`);
	return texts;
}

function listItem(item: unknown, entry: string): string {
	if (typeof item === 'string' || typeof item === 'number') return String(item);
	throw new StepValueError(`${entry} must be a text, not ${JSON.stringify(item) ?? 'missing'}`);
}

function jsonValue(value: unknown, entry: string): ActionParam['value'] {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return wholeNumber(value, entry, 'value');
	if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')) {
		return value;
	}
	throw new StepValueError(
		`${entry}: value must be a text, a whole number or a list of texts, not ${JSON.stringify(value) ?? 'missing'}`,
	);
}
