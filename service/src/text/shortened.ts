/** A text that is cut where it goes on for longer than a reader wants. */
export function shortened(text: string, length = 200): string {
	return text.length > length ? `${firstPart(text, length).toWellFormed().trimEnd()}…` : text;
}

/** The first `length` UTF-16 units of a text, without half a character at the end. */
export function firstPart(text: string, length: number): string {
	return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
