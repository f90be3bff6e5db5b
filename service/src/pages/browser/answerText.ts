import type { Response } from 'playwright-core';

/** Bytes on the way, and characters of an answer, that are read at most. */
const maxLength = 2_000_000;

/** What stands before JSON that no page of another site is to read by running it as a script. */
const guard = /^(?:\)\]\}'?,?|(?:for|while) ?\([;\w]*\);|&&&START&&&|\{\}&&)/;
/** JSON that is handed to a function of the page, as scripts do (JSONP). */
const handed = /^(?:\/\*\*\/ ?)?[\w$.]+\(([^]*)\);?$/;

/** The text of an answer that scripts may read as data; undefined: it is none, has not come whole, or is too large. */
export async function textOf(response: Response): Promise<string | undefined> {
	const request = response.request();
	if (request.resourceType() === 'script' || request.method() === 'HEAD') return undefined;
	const { 'content-type': type, 'content-length': length } = response.headers();
	// A sequence or stream of JSON is none as a whole.
	if (type && !/\bjson\b(?!-)|^text\/(?:html|plain)\b/i.test(type)) return undefined;
	try {
		const { responseBodySize } = await request.sizes();
		const text = responseBodySize > maxLength ? undefined : await response.text();
		// Of what stood in its store, and nobody has read, the browser has nothing to tell.
		if (text === '' && Number(length) > 0) return undefined;
		return text !== undefined && text.length > maxLength ? undefined : text;
	} catch {
		return undefined;
	}
}

/** Longer texts hold up all others while they are parsed. */
const maxParsed = 200_000;

/** What a text says as JSON, or as lines of it, where that is not too long to be looked at; undefined: it is none. */
export function parsedJson(text: string): unknown {
	if (text.length > maxParsed) return hasEnds(text.trim()) ? {} : undefined;
	const bare = text.trim().replace(guard, '').replace(handed, '$1');
	const whole = parsed(bare);
	if (whole !== undefined) return whole;
	const lines: unknown[] = [];
	for (const line of bare.split('\n').filter((each) => each.trim() !== '')) {
		const value = parsed(line);
		if (value === undefined) return undefined;
		lines.push(value);
	}
	return lines.length > 0 ? lines : undefined;
}

/** Whether a text may be whole JSON, by how it begins and ends. */
function hasEnds(text: string): boolean {
	if (/^[[{]/.test(text)) return /[\]}]$/.test(text);
	return !text.startsWith('<');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
