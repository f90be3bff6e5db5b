/**
 * What a JSON text says, with its numbers as they are written: those that JavaScript would write in another
 * way, since it rounds them or has no sign for them, are raw JSON, which JSON.stringify writes as it is.
 */
export function parseExactly(text: string): unknown {
	return JSON.parse(text, (_name, value, { source = '' }) =>
		typeof value === 'number' && String(value) !== source ? JSON.rawJSON(source) : value,
	);
}
