import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { detect } from 'chardet';
import type { Document } from 'domhandler';
import { parseHtml } from './parseHtml.ts';
import { isXhtml, parseXml } from './parseXml.ts';
import { all } from './select.ts';

/** Bytes in which a page has to say its encoding, as the HTML standard has it. */
const headBytes = 1024;
/** What a page is that does not say it, unless its letters do. */
const fallback = 'windows-1252';
/** Bytes that are enough to tell from letters. */
const maxGuessed = 64 * 1024;

/** Decodes and parses a page as browsers do, HTML or XML; XHTML as HTML, whatever it calls itself. */
export function readDocument(body: Uint8Array, contentType: string): Document {
	const start = Buffer.from(body.subarray(0, headBytes)).toString('latin1');
	const named = markedDecoder(body) ?? decoderFor(charsetIn(contentType));
	const inXml = readable(decoderFor(/^\s*<\?xml[^>]* encoding=["']([^"']+)/.exec(start)?.[1]));
	if (isXml(contentType, start)) {
		const xml = (named ?? inXml ?? new TextDecoder('utf-8')).decode(body);
		if (!isXhtml(xml)) return parseXml(xml);
	}
	return readHtml(body, named ?? declaredDecoder(parseHtml(start), 'meta') ?? inXml);
}

/** What has no type is XML where it begins as such. */
function isXml(contentType: string, start: string): boolean {
	const type = contentType.replace(/;.*/s, '').trim().toLowerCase();
	if (type === '') return /^(\xef\xbb\xbf)?<\?xml\s/.test(start);
	return /[/+]xml$/.test(type) && type !== 'application/xhtml+xml';
}

/**
 * In the encoding that is named before the page, by its byte order mark, the Content-Type header, or what it
 * says itself. Browsers also find that when it stands further behind in the head than it should, and guess
 * from the letters where it stands nowhere.
 */
function readHtml(body: Uint8Array, decoder: TextDecoder | undefined): Document {
	if (decoder) return parseHtml(decoder.decode(body));
	const page = parseHtml(new TextDecoder(fallback).decode(body));
	const late =
		(body.length > headBytes ? declaredDecoder(page, 'head > meta') : undefined) ?? guessed(body);
	return late && late.encoding !== fallback ? parseHtml(late.decode(body)) : page;
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
	const decoder = decoderFor(detect(Buffer.from(texts.join(' '), 'latin1')) ?? undefined);
	return decoder?.encoding.startsWith('utf-') ? undefined : decoder;
}

function markedDecoder(body: Uint8Array): TextDecoder | undefined {
	const [first, second, third] = body;
	if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
	if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
	if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
	return undefined;
}

/** The decoder that a page names in one of these elements. */
function declaredDecoder(page: Document, metas: string): TextDecoder | undefined {
	const decoder = all(`${metas}[charset], ${metas}[http-equiv="content-type" i]`, page)
		.map(({ attribs }) => decoderFor(attribs.charset ?? charsetIn(attribs.content ?? '')))
		.find((known) => known !== undefined);
	return decoder?.encoding === 'x-user-defined' ? undefined : readable(decoder);
}

/** What names its encoding and could be read byte by byte up to there is not in one of two bytes. */
function readable(decoder: TextDecoder | undefined): TextDecoder | undefined {
	return decoder?.encoding.startsWith('utf-16') ? new TextDecoder('utf-8') : decoder;
}

function charsetIn(contentType: string): string | undefined {
	return /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
	if (label === undefined) return undefined;
	try {
		return new TextDecoder(label);
	} catch {
		return undefined;
	}
}
