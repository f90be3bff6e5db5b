import type { Element } from 'domhandler';

/**
 * The attributes in which pages keep the address of a picture; those of pictures that a script loads late
 * come before `src`, which holds a placeholder until then.
 */
export const pictureAttributes = [
	'data-src',
	'data-original',
	'data-lazy-src',
	'src',
	'srcset',
	'data-srcset',
] as const;

export type PictureAttribute = (typeof pictureAttributes)[number];

/**
 * The attribute that says where the pictures of a column are: the one with most addresses in it. A
 * placeholder is the same one in each of them, or no address at all.
 */
export function pictureAttributeOf(pictures: Element[]): PictureAttribute {
	let best: { attribute: PictureAttribute; count: number } = { attribute: 'src', count: 0 };
	for (const attribute of pictureAttributes) {
		const values = pictures.map(({ attribs }) => attribs[attribute]?.trim() ?? '');
		const { size } = new Set(values.filter((value) => value !== '' && !/^data:/i.test(value)));
		if (size > best.count) best = { attribute, count: size };
	}
	return best.attribute;
}
