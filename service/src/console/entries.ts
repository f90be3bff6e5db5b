/** What was entered in a form, by the names of its fields; line breaks are single ones. */
export type Entries = ReadonlyMap<string, string>;

/** Reads the body of a form; what is no text in it is left out. */
export function entriesOf(body: unknown): Entries {
	if (typeof body !== 'object' || body === null) return new Map();
	return new Map(
		Object.entries(body).flatMap(([name, value]: [string, unknown]): [string, string][] =>
			typeof value === 'string' ? [[name, value.replace(/\r\n?/g, '\n')]] : [],
		),
	);
}
