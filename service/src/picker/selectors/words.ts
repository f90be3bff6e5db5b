/** A list of words, from a text with a blank between them. */
export function words(text: string): string[] {
	return text.split(' ');
}
