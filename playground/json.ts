/** An answer whose shape is not what n8n or the service promised. */
class UnexpectedShape extends Error {}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `key`, or `value` itself without one. Throws if it is none. */
export function objectAt(value: unknown, key?: string): JsonObject {
	const found = key === undefined ? value : objectAt(value)[key];
	if (isObject(found)) return found;
	throw unexpected('an object', key, found);
}

/** The list at `key`, or `value` itself without one. Throws if it is none. */
export function listAt(value: unknown, key?: string): unknown[] {
	const found = key === undefined ? value : objectAt(value)[key];
	if (Array.isArray(found)) return found;
	throw unexpected('a list', key, found);
}

/** The text at `key`. Throws if it is none. */
export function textAt(value: unknown, key: string): string {
	const found = objectAt(value)[key];
	if (typeof found === 'string') return found;
	throw unexpected('a text', key, found);
}

function unexpected(wanted: string, key: string | undefined, found: unknown): UnexpectedShape {
	const where = key === undefined ? '' : ` in "${key}"`;
	const text = JSON.stringify(found) ?? 'nothing';
	return new UnexpectedShape(`Expected ${wanted}${where}, found ${text.slice(0, 200)}`);
}
