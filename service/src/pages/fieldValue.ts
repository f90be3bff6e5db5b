import { absoluteAddress, type AddressBase } from './absoluteAddress.ts';
import type { PageField } from './page.ts';
import { pictureAttributes } from './pictureAttributes.ts';

/** Attributes that hold an address; their values come out absolute. */
const addressAttributes = new Set(['href', 'src', 'data-src', 'data-original', 'data-lazy-src']);
/** Those that hold several, with a description each. */
const addressLists = new Set(['srcset', 'data-srcset']);

/** The attributes that are read for a field, of each element all of them; undefined: its text is. */
export function attributesOf({ attribute, picture }: PageField): readonly string[] | undefined {
	if (picture) return pictureAttributes;
	return attribute === undefined ? undefined : [attribute];
}

/**
 * The texts of a field, from what its elements say, none for those that do not say it; `base` is what
 * relative addresses count from.
 */
export function fieldValues(
	said: (string | null)[],
	field: PageField,
	base: AddressBase,
): string[] {
	if (field.picture) return pictureAddresses(said, base);
	return said.filter((each) => each !== null).map((each) => valueOf(each, field, base));
}

function valueOf(said: string, { attribute, html, trim }: PageField, base: AddressBase): string {
	const name = attribute?.toLowerCase() ?? '';
	const address = addressAttributes.has(name) ? absoluteAddress(said, base) : undefined;
	if (address !== undefined) return address;
	if (addressLists.has(name)) return absoluteSrcset(said, base);
	if (trim === false) return said;
	// White space inside may mean something to what reads the HTML.
	return html ? said.trim() : foldSpaces(said);
}

/** The address of each picture, from all of its attributes: data in the page are mostly a placeholder. */
function pictureAddresses(said: (string | null)[], base: AddressBase): string[] {
	const count = pictureAttributes.length;
	const pictures = Array.from({ length: said.length / count }, (_, index) =>
		said.slice(index * count, (index + 1) * count),
	);
	return pictures.flatMap((values) => {
		const addresses = pictureAttributes.flatMap((attribute, index) => {
			const value = values[index]?.trim() ?? '';
			const all = addressLists.has(attribute) ? candidatesIn(value, base) : [[value]];
			const address = all[0]?.[0] ?? '';
			return address === '' ? [] : valueOf(address, { id: attribute, attribute: 'src' }, base);
		});
		const [first] = addresses;
		return addresses.find((address) => !/^data:/i.test(address)) ?? first ?? [];
	});
}

/** A `srcset` whose addresses are absolute: "https://a/1.png 1x, https://a/2.png 2x". */
function absoluteSrcset(srcset: string, base: AddressBase): string {
	return candidatesIn(srcset, base)
		.map((parts) => parts.filter(Boolean).join(' '))
		.join(', ');
}

/**
 * Each absolute address of a `srcset` with what describes it. As the HTML standard has it, an address ends
 * at white space, and its description, if any, at the next comma.
 */
function candidatesIn(srcset: string, base: AddressBase): string[][] {
	const candidates: string[][] = [];
	let candidate: string[] | undefined;
	for (const token of srcset.split(/\s+/)) {
		const comma = candidate ? token.indexOf(',') : -1;
		candidate?.push(comma < 0 ? token : token.slice(0, comma));
		if (candidate && comma < 0) continue;
		const written = token.slice(comma + 1).replace(/^,+/, '');
		const address = withoutCommas(written);
		candidate = undefined;
		if (address === '') continue;
		candidates.push([absoluteAddress(address, base) ?? address]);
		if (address === written) candidate = candidates.at(-1);
	}
	return candidates;
}

function withoutCommas(written: string): string {
	let end = written.length;
	while (written[end - 1] === ',') end -= 1;
	return written.slice(0, end);
}

/** Text with each run of white space made one space, and none at its ends. */
export function foldSpaces(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}
