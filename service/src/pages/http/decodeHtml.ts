import { TextDecoder } from 'node:util';
import { load } from 'cheerio';

/** Bytes in which a page has to say its encoding, as the HTML standard has it. */
const headBytes = 1024;

/**
 * Decodes a page as browsers do: by its byte order mark, the Content-Type header, or what it says
 * itself; as windows-1252 if none of them names an encoding of the Encoding Standard.
 */
export function decodeHtml(body: Buffer, contentType: string): string {
	const decoder =
		markedDecoder(body) ??
		decoderFor(charsetIn(contentType)) ??
		declaredDecoder(body.subarray(0, headBytes).toString('latin1')) ??
		new TextDecoder('windows-1252');
	return decoder.decode(body);
}

function markedDecoder(body: Buffer): TextDecoder | undefined {
	const mark = body.subarray(0, 3).toString('hex');
	if (mark === 'efbbbf') return new TextDecoder('utf-8');
	if (mark.startsWith('fffe')) return new TextDecoder('utf-16le');
	if (mark.startsWith('feff')) return new TextDecoder('utf-16be');
	return undefined;
}

function declaredDecoder(head: string): TextDecoder | undefined {
	const $ = load(head);
	const decoder = decoderFor(
		$('meta[charset]').attr('charset') ??
			charsetIn($('meta[http-equiv="content-type" i]').attr('content') ?? '') ??
			/^<\?xml[^>]* encoding=["']([^"']+)/.exec(head)?.[1],
	);
	// What could be read byte by byte up to here is not what these two say.
	if (decoder?.encoding.startsWith('utf-16')) return new TextDecoder('utf-8');
	return decoder?.encoding === 'x-user-defined' ? undefined : decoder;
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
