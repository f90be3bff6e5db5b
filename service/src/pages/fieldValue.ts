import type { PageField } from './page.ts';

/** Attributes that hold an address; their values come out absolute. */
const addressAttributes = new Set(['href', 'src']);

/** The value of a field, from what its element says; `base` is what relative addresses count from. */
export function fieldValue(
	said: string | null | undefined,
	{ attribute, trim }: PageField,
	base: string,
): string {
	if (said === null || said === undefined) return '';
	if (attribute !== undefined && addressAttributes.has(attribute.toLowerCase())) {
		if (URL.canParse(said, base)) return new URL(said, base).href;
	}
	return trim === false ? said : foldSpaces(said);
}

/** Text with each run of white space made one space, and none at its ends. */
export function foldSpaces(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}
