import { words } from './words.ts';

/** What people call the things that lists are of. */
const commonNames = new Set(
	words(
		'name title subtitle headline price cost date time year author brand publisher rating stars score review reviews description summary teaser category genre type image picture photo address street city country location place phone email company salary stock availability status count number amount size color colour weight length duration version edition isbn sku model tag tags quote rank points comments views likes user link url website pages',
	),
);

/** The words of "list-price" and "listPrice"; what stands before "__" says which block it is a part of. */
export function ownWords(name: string): string[] {
	return name
		.replace(/^.*[a-z\d]__(?=[a-z])/i, '')
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[-_ ]+/)
		.filter((word) => word !== '');
}

/** Whether one of the words of a name is what people call such a thing. */
export function saysCommonName(ofName: string[]): boolean {
	return ofName.some((word) => commonNames.has(word));
}
