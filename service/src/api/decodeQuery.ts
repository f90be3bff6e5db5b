/** The JSON schema of a query: what its parameters are. */
export interface QuerySchema {
	properties: Record<string, { type: string }>;
}

/**
 * A query whose values, all of them strings, have become the integers and booleans of the schema.
 * What is none stays as it is, for the schema to refuse.
 */
export function decodeQuery(
	{ properties }: QuerySchema,
	query: Record<string, unknown>,
): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(query).map(([name, value]) => [name, decode(properties[name]?.type, value)]),
	);
}

function decode(type: string | undefined, value: unknown): unknown {
	if (typeof value !== 'string') return value;
	if (type === 'integer' && /^-?\d+$/.test(value)) return Number(value);
	if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
	return value;
}
