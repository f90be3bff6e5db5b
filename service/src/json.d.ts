// What Node.js has, and TypeScript's library of this version not yet.

interface RawJson {
	rawJSON: string;
}

interface JSON {
	/** `source`: the text of a number, a text, true, false or null. */
	parse(
		text: string,
		reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
	): unknown;
	rawJSON(text: string): RawJson;
	isRawJSON(value: unknown): value is RawJson;
}
