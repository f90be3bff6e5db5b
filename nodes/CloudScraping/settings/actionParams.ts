import { isObject } from '../api/json';
import type { ActionParam } from '../api/wire';
import { excerpt, isTextual, listIn, numberOf, shown } from './fieldValues';

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
			const name = placeName(index);
			if (!isObject(entry)) throw new StepValueError(`${name} is not an object with id and value`);
			refuseOtherKeys(entry, name);
			const id = text(entry.id, name, 'id');
			const given = Object.hasOwn(entry, 'path') ? entry.path : '';
			if (typeof given !== 'string') {
				throw new StepValueError(`${name}: path must be text like config.url`);
			}
			const path = given.trim();
			return filledIn(
				{ id, ...(path !== '' && { path }), value: jsonValue(entry.value, name, path) },
				name,
			);
		}),
	);
}

/** How errors call an entry of such an array. */
export function placeName(index: number): string {
	return `Step value ${index + 1}`;
}

/** A key that is misspelt would leave the value of the task as it is, or replace that of another field. */
function refuseOtherKeys(entry: object, name: string): void {
	const known = ['id', 'path', 'value'];
	const other = Object.keys(entry).find((key) => !known.includes(key));
	if (other === undefined) return;
	throw new StepValueError(`${name}: ${excerpt(shown(other))} is not one of ${known.join(', ')}`);
}

/** What an expression within a text makes of an object, also as part of an address. */
const madeOfObject = /\[object Object\]|%5Bobject(%20|\+)Object%5D/;

/** An address in which a whole part, or the whole value of a parameter, is what an expression makes of nothing. */
const madeOfNothing = /^https?:\/\/(\S*[/=])?undefined([/?#&]\S*)?$/;

/** A step value, unless there is an object or nothing in its texts where an expression was to put a value. */
export function filledIn(param: ActionParam, entry: string): ActionParam {
	for (const text of Object.values(param).flat().map(String)) {
		const yielded = madeOfObject.test(text)
			? 'an object'
			: madeOfNothing.test(text.trim())
				? 'nothing'
				: undefined;
		if (yielded === undefined) continue;
		throw new StepValueError(`${entry}: an expression in ${excerpt(text)} returns ${yielded}`);
	}
	return param;
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

/** Whatever is to be typed or sent as text: an object as its JSON, nothing for no value. */
export function anyText(value: unknown, entry: string): string {
	if (typeof value === 'object' && value !== null) return JSON.stringify(value);
	return scalarText(value, entry);
}

/** Text that neither an object nor true, false or an infinite number can stand for. */
export function scalarText(value: unknown, entry: string): string {
	if (value === undefined || value === null) return '';
	if (isTextual(value)) return String(value);
	const advice = typeof value === 'boolean' ? `: write it as text, "${value}"` : '';
	throw new StepValueError(`${entry} must be text, not ${shown(value)}${advice}`);
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
		`${entry}: ${field} must be a whole number${min > -Infinity ? ` of at least ${min}` : ''}, not ${shown(value)}`,
	);
}

/** The field of a loop (section 4.1) whose texts are addresses. */
const pathOfUrls = 'config.urls';

/**
 * The texts of a list: an array, a JSON array as text, or one entry a line. Blank ones are left out. Of
 * addresses each must be one, so that "a, b" is not taken for a single page.
 */
export function list(value: unknown, entry: string, areUrls = false): string[] {
	const entries = listIn(value);
	const texts: unknown[] = Array.isArray(entries)
		? entries
		: scalarText(value, entry)
				.split(/\r?\n/)
				.map((line) => line.trim());
	const kept = texts
		.map((item, index) => listItem(item, `${entry}, item ${index + 1}`, areUrls))
		.filter((item) => item !== undefined);
	if (kept.length === 0) throw new StepValueError(`${entry}: the list is empty`);
	return kept;
}

/** The same for a field at a path. */
export function listAt(path: string, value: unknown, entry: string): string[] {
	return list(value, entry, path === pathOfUrls);
}

function listItem(item: unknown, entry: string, isUrl: boolean): string | undefined {
	if (!isTextual(item)) {
		const missing = item === undefined ? 'missing' : shown(item);
		throw new StepValueError(`${entry} must be text, not ${missing}`);
	}
	const written = String(item);
	if (written.trim() === '') return undefined;
	if (!isUrl) return written;
	return oneUrl(written.trim(), entry, ': enter one per line');
}

/** A web address, and nothing besides. */
export function oneUrl(address: string, entry: string, advice = ''): string {
	if (isOneUrl(address)) return address;
	throw new StepValueError(
		`${entry} must be one web address like https://example.com, not ${excerpt(address)}${advice}`,
	);
}

/**
 * What people put between two addresses that would parse as one. A comma may be part of a query, and an
 * address may stand in another one's path or query behind anything else.
 */
const twoUrls = /^[^?#]*,https?:\/\/|(?:[;|]|\\r?\\?n|<br ?\/?>)https?:\/\//i;

/** Only one, on a host whose name does not begin with a dot. */
function isOneUrl(address: string): boolean {
	return (
		/^https?:\/\/[^\s]+$/i.test(address) &&
		!twoUrls.test(address) &&
		URL.canParse(address) &&
		!/^\.|\.\./.test(new URL(address).hostname)
	);
}

function jsonValue(value: unknown, entry: string, path: string): ActionParam['value'] {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return wholeNumber(value, entry, 'value');
	if (Array.isArray(value)) return listAt(path, value, entry);
	throw new StepValueError(
		`${entry}: value must be text, a whole number or a list of texts, not ${JSON.stringify(value) ?? 'missing'}`,
	);
}
