/**
 * The attributes in which pages keep the address of a picture; those of pictures that a script loads late
 * come before `src`, which holds a placeholder until then.
 */
export const pictureAttributes = [
	'data-src',
	'data-original',
	'data-lazy-src',
	'data-srcset',
	'src',
	'srcset',
] as const;

export type PictureAttribute = (typeof pictureAttributes)[number];
