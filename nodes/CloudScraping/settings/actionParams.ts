import { isObject } from '../api/json';
import type { ActionParam } from '../api/wire';

type StepValueGroup = 'navigate' | 'inputText' | 'loopTimes' | 'urlList' | 'textList' | 'custom';

type Entry = Record<string, unknown>;

/** A step value that cannot be sent; the message names the entry. */
export class StepValueError extends Error {
	override name = 'StepValueError';
}

/** How each group of the form becomes the value of an action parameter (section 4.1). */
const GROUPS: ReadonlyArray<{
	group: StepValueGroup;
	label: string;
	value: (entry: Entry, label: string) => ActionParam['value'];
}> = [
	{ group: 'navigate', label: 'Navigate: URL', value: ({ url }, label) => text(url, label, 'URL') },
	{ group: 'inputText', label: 'Input: Text', value: ({ text }) => anyText(text) },
	{
		group: 'loopTimes',
		label: 'Loop: Times',
		value: ({ times }, label) => wholeNumber(times, label, 'Times', 1),
	},
	{ group: 'urlList', label: 'Loop: URL List', value: ({ urls }, label) => list(urls, label) },
	{ group: 'textList', label: 'Loop: Text List', value: ({ texts }, label) => list(texts, label) },
	{ group: 'custom', label: 'Custom Field', value: customValue },
];

/**
 * Action parameters (section 2.6) from the collections of the form, as n8n hands them over (with
 * expressions resolved), in the user's order within each group.
 * Throws a StepValueError that names the entry when something cannot be sent.
 */
export function paramsFromFields(groups: unknown): ActionParam[] {
	if (!isObject(groups)) {
		throw new StepValueError(`The step values must be entries, not ${JSON.stringify(groups)}`);
	}
	const params = GROUPS.flatMap(({ group, label, value }) =>
		entriesOf(groups[group]).map((entry, index) => {
			const name = `${label} ${index + 1}`;
			const id = text(entry.id, name, 'Step ID');
			const path = group === 'custom' ? scalarText(entry.path, `${name}: Path`).trim() : '';
			return { id, ...(path !== '' && { path }), value: value(entry, name) };
		}),
	);
	return unique(params);
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

function entriesOf(group: unknown): Entry[] {
	return Array.isArray(group) ? group.filter(isObject) : isObject(group) ? [group] : [];
}

function unique(params: ActionParam[]): ActionParam[] {
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
const LONGEST_EXCERPT = 100;

function excerpt(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
	return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}

/** Whatever is to be typed or sent as text: an object as its JSON, nothing for no value. */
function anyText(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Text that an object cannot stand for. */
function scalarText(value: unknown, entry: string): string {
	if (typeof value !== 'object' || value === null) return anyText(value);
	throw new StepValueError(`${entry} must be a text, not ${JSON.stringify(value)}`);
}

function text(value: unknown, entry: string, field: string): string {
	const trimmed = scalarText(value, `${entry}: ${field}`).trim();
	if (trimmed === '') throw new StepValueError(`${entry}: ${field} is empty`);
	return trimmed;
}

function wholeNumber(value: unknown, entry: string, field: string, min: number): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min) return number;
	if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
		throw new StepValueError(
			`${entry}: ${field} is too large: whole numbers go up to ${Number.MAX_SAFE_INTEGER}`,
		);
	}
	throw new StepValueError(
		`${entry}: ${field} must be a whole number${min > -Infinity ? ` from ${min}` : ''}, not ${JSON.stringify(value) ?? 'empty'}`,
	);
}

/** One entry a line, or the array that an expression yields, whose elements are sent as they are. */
function list(value: unknown, entry: string): string[] {
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

function customValue({ value, valueType }: Entry, entry: string): ActionParam['value'] {
	if (valueType === 'integer') return wholeNumber(value, entry, 'Value', -Infinity);
	if (valueType === 'list') return list(value, entry);
	return anyText(value);
}

function jsonValue(value: unknown, entry: string): ActionParam['value'] {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return wholeNumber(value, entry, 'value', -Infinity);
	if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')) {
		return value;
	}
	throw new StepValueError(
		`${entry}: value must be a text, a whole number or a list of texts, not ${JSON.stringify(value) ?? 'missing'}`,
	);
}
