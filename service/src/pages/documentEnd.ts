import { latin1 } from '../text/latin1.ts';

/** How a document ends: as one does, without that, or with an error of the program that makes it. */
export type DocumentEnd = 'whole' | 'open' | 'failed';

/** Bytes of a document in which its end, behind which comments and scripts may stand, and its beginning are looked for. */
const lastBytes = 16_384;
const firstBytes = 4_096;

/** How the body of an answer ends; undefined: it is no HTML, or a part of a document, as scripts ask for it. */
export function endOf(body: Uint8Array, contentType: string): DocumentEnd | undefined {
	if (!/html/i.test(contentType)) return undefined;
	const last = asciiOf(body.subarray(-lastBytes));
	// What closes the document may be left out, and is by some sites, but for one of these.
	if (/<\/(html|body|frameset)\b/i.test(last)) return 'whole';
	if (isErrorOfPhp(last)) return 'failed';
	const first = asciiOf(body.subarray(0, firstBytes));
	return /^\s*$|<(!doctype|html|head|body)\b/i.test(first) ? 'open' : undefined;
}

/** UTF-16 has a zero beside each. */
function asciiOf(bytes: Uint8Array): string {
	return latin1(bytes).replaceAll('\0', '');
}

/** `<b>Fatal error</b>: Maximum execution time of 30 seconds exceeded in <b>/list.php</b> on line <b>3</b><br />` */
function isErrorOfPhp(last: string): boolean {
	const text = last.replace(/<[^<>]*>/g, '').trimEnd();
	return /\son line \d+$/.test(text) && text.includes('Fatal error: ');
}
