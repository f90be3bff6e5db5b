/** Shorter keys are no secret, and without their characters no text could be read. */
const minKeyLength = 4;

/**
 * The service's words without the API key: a service, or whatever answers at its address, may repeat
 * what it was sent, also escaped for a URL, for JSON or for HTML. A text is cut only afterwards: of
 * a key that is cut, a part would stay.
 */
export function redact(text: string, apiKey: string): string {
	if (apiKey.length < minKeyLength) return text;
	const anySpelling = [...apiKey].map(spellings).join('');
	return text.replaceAll(new RegExp(anySpelling, 'gi'), '[API key]');
}

/** A pattern for a character of the key (ASCII): `/` may be `\/`, `\u002f`, `%2F`, `&#47;`, `&sol;`. */
function spellings(character: string): string {
	if (/[a-z0-9]/i.test(character)) return character;
	const hex = character.charCodeAt(0).toString(16);
	// What is escaped twice has more backslashes, `%25` for `%` and `&amp;` for `&`.
	return `(?:\\\\{0,3}\\x${hex}|\\\\{1,3}u00${hex}|%(?:25)*${hex}|&(?:amp;)*#?\\w+;)`;
}
