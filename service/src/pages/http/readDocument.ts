import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { detect } from 'chardet';
import type { Document } from 'domhandler';
import { getOuterHTML } from 'domutils';
import encodingOf from 'html-encoding-sniffer';
import { parseHtml } from './parseHtml.ts';
import { isXhtml, parseXml } from './parseXml.ts';
import { mayHideEmails, showEmails } from './protectedEmails.ts';
import { all } from './select.ts';

/** What a page is that does not say it, unless its letters do. */
const fallback = 'windows-1252';
/** No encoding: so the library says that it has found none. */
const defaultEncoding = 'none';
/** Bytes that are enough to tell from letters. */
const maxGuessed = 64 * 1024;

/** A document, and the encoding that its bytes were in. */
interface ReadDocument {
	page: Document;
	encoding: string;
}

/** Decodes and parses a page as browsers do, HTML or XML; XHTML as HTML, whatever it calls itself. */
export function readDocument(body: Uint8Array, contentType: string): ReadDocument {
	const transportLayerEncodingLabel = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
	const isOfXml = isXml(body, contentType);
	if (isOfXml && typeOf(contentType) !== xhtml) {
		const named = encodingOf(body, { xml: true, transportLayerEncodingLabel });
		const decoder = decoderFor(named) ?? new TextDecoder();
		const xml = decoder.decode(body);
		if (!isXhtml(xml)) return { page: parseXml(xml), encoding: decoder.encoding };
	}
	// XML that does not say it is in UTF-8; some is not, all the same.
	const usual = isOfXml && isUtf8(body) ? 'utf-8' : defaultEncoding;
	const named = encodingOf(body, { transportLayerEncodingLabel, defaultEncoding: usual });
	return readHtml(body, decoderFor(named));
}

const xhtml = 'application/xhtml+xml';

function typeOf(contentType: string): string {
	return contentType.replace(/;.*/s, '').trim().toLowerCase();
}

/** What has no type is XML where it begins as such. */
function isXml(body: Uint8Array, contentType: string): boolean {
	const type = typeOf(contentType);
	if (type !== '') return /[/+]xml$/.test(type);
	return /^(\xef\xbb\xbf)?<\?xml\s/.test(Buffer.from(body.subarray(0, 9)).toString('latin1'));
}

/**
 * In the encoding that is named before the page, or at its beginning. Browsers also find that when it
 * stands further behind in the head than it should, and guess from the letters where it stands nowhere.
 */
function readHtml(body: Uint8Array, decoder: TextDecoder | undefined): ReadDocument {
	if (decoder) return htmlIn(body, decoder);
	const read = htmlIn(body, new TextDecoder(fallback));
	const metas = Buffer.from(getOuterHTML(all('head > meta', read.page), { encodeEntities: false }));
	const late = encodingOf(metas, { maxPrescanBytes: Infinity, defaultEncoding });
	const better = decoderFor(late) ?? guessed(body);
	return better && better.encoding !== fallback ? htmlIn(body, better) : read;
}

function htmlIn(body: Uint8Array, decoder: TextDecoder): ReadDocument {
	const html = decoder.decode(body);
	const page = parseHtml(html);
	if (mayHideEmails(html)) showEmails(page);
	return { page, encoding: decoder.encoding };
}

/** By the letters of the text; undefined if there are none beyond ASCII. As in browsers, never UTF-8. */
function guessed(body: Uint8Array): TextDecoder | undefined {
	if (isUtf8(body)) return undefined;
	const from = body.findIndex((byte) => byte > 0x7f);
	const part = Buffer.from(body.subarray(from, from + maxGuessed)).toString('latin1');
	// Tags, scripts and texts in ASCII make a page seem to be in English.
	const texts = part
		.replace(/<(script|style)\b[^]*?<\/\1/gi, '<')
		.split(/[<>]/)
		.filter((text) => /[\x80-\xff]/.test(text));
	const decoder = decoderFor(detect(Buffer.from(texts.join(' '), 'latin1')));
	return decoder?.encoding.startsWith('utf-') ? undefined : decoder;
}

/** Undefined for what nobody can decode. */
function decoderFor(label: string | null): TextDecoder | undefined {
	try {
		return new TextDecoder(label ?? defaultEncoding);
	} catch {
		return undefined;
	}
}
