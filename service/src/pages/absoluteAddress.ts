// All encodings of the web, of which the next line has those of a byte a letter.
import '@exodus/bytes/encoding.js';
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js';

/** What the addresses in a document count from, and the encoding of the document, by its name or a label. */
export interface AddressBase {
	url: string;
	encoding: string;
}

/**
 * An address as a document writes it, whole; undefined for what is none. As in browsers, letters in its query
 * are in the encoding of the document, all others in UTF-8.
 */
export function absoluteAddress(
	written: string,
	{ url, encoding }: AddressBase,
): string | undefined {
	const address = URL.parse(written, url);
	if (!address || !/^https?:$/.test(address.protocol)) return address?.href;
	const encoded = written.replace(
		/^([^?#]*)(\?[^#]*)/,
		(_, path: string, query: string) =>
			path + query.replace(/\P{ASCII}+/gu, (letters) => percentEncoded(letters, encoding)),
	);
	return URL.parse(encoded, url)?.href;
}

/** The query of an address: what a browser would escape in any encoding. */
const inQuery = ' "#\'<>';

/** Letters as the bytes of an encoding: those that it does not have, as references to them (`&#1050;`). */
export function percentEncoded(
	text: string,
	encoding: string,
	{ escaped = inQuery, spaceAsPlus = false } = {},
): string {
	return percentEncodeAfterEncoding(outputOf(encoding), text, escaped, spaceAsPlus);
}

/** What is written where an encoding is only read. */
export function outputOf(encoding: string): string {
	return /^(utf-16|replacement)/i.test(encoding) ? 'UTF-8' : encoding;
}
