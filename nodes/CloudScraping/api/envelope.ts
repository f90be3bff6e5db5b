import { isObject, parseJson } from './json';
import { quoted, webPage } from './quoted';
import { redact } from './redact';
import { readBatch, toInteger } from './wire';

/** An answer with code 0 in the envelope (section 2.1), and HTTP 2xx or a batch. */
export interface Success<T> {
	kind: 'success';
	data: T;
}

/** Any other answer. Its texts are without the API key, and can be shown. */
export interface Refusal {
	kind: 'refusal';
	status: number;
	/** Absent when the answer is not the envelope of the API, or says success and is none. */
	code?: number;
	/** It is not the envelope: somebody else may have sent it. */
	isForeign: boolean;
	/** It says success, and is none: what was asked for may have been done. */
	saysSuccess: boolean;
	msg: string;
	/** The beginning of the body, a web page's title, or where a redirect leads: for error texts. */
	excerpt: string;
	/** Of a redirect to the same endpoint elsewhere: the base URL there. */
	location?: string;
	retryAfter?: string;
}

const excerptLength = 200;

/** Characters of the service's own words. */
const maxMsgLength = 1_000;

/** Enough for an excerpt, whatever is hidden or folded in it. */
const lookedAt = 16_000;

/**
 * Reads n8n's full response and the text of its body; `readData` checks `data` of the envelope.
 * `apiKey` is hidden in what a refusal says, and a redirect may be relative to the `url` that was asked.
 */
export function readAnswer<T>(
	response: unknown,
	body: string,
	{ apiKey, url }: { apiKey: string; url: string },
	readData: (data: unknown) => T | undefined,
): Success<T> | Refusal {
	const { status, headers } = statusAndHeaders(response);
	const envelope = parseEnvelope(body);
	const saysSuccess = envelope?.code === 0;
	const isAccepted = status >= 200 && status < 300;
	// A batch says that it was started or stopped, whatever status something on the way has given it.
	if (saysSuccess && (isAccepted || readBatch(envelope.data))) {
		const data = readData(envelope.data);
		if (data !== undefined) return { kind: 'success', data };
	}
	return {
		kind: 'refusal',
		status,
		isForeign: envelope === undefined,
		saysSuccess,
		code: saysSuccess ? undefined : envelope?.code,
		msg: msgOf(redact((envelope?.msg ?? '').slice(0, lookedAt), apiKey)),
		excerpt: headers.location
			? quoted(redact(`redirect to ${headers.location}`, apiKey))
			: excerptOf(redact(body.slice(0, lookedAt), apiKey)),
		location: movedTo(headers.location, url, apiKey),
		retryAfter: headers['retry-after'],
	};
}

function movedTo(location: string | undefined, url: string, apiKey: string): string | undefined {
	if (location === undefined || !URL.canParse(location, url)) return undefined;
	const target = new URL(location, url).href;
	const endpoint = /^(https?:\/\/[^?#]*)\/cloud\/\w+(?:[?#]|$)/i;
	const [here, there] = [url, target].map((each) => endpoint.exec(each)?.[1]);
	// One that leads to itself is no other address.
	return there === undefined || there === here ? undefined : redact(there, apiKey);
}

function parseEnvelope(body: string): { code: number; msg: string; data: unknown } | undefined {
	let parsed: unknown;
	try {
		parsed = parseJson(body);
	} catch {
		return undefined;
	}
	const code = isObject(parsed) ? toInteger(parsed.code) : undefined;
	if (!isObject(parsed) || code === undefined) return undefined;
	const msg = typeof parsed.msg === 'string' ? parsed.msg : '';
	return { code, msg, data: parsed.data };
}

function statusAndHeaders(response: unknown) {
	const { statusCode, headers } = isObject(response) ? response : {};
	const texts: Record<string, string> = {};
	for (const [name, value] of Object.entries(isObject(headers) ? headers : {})) {
		if (typeof value === 'string') texts[name.toLowerCase()] = value;
	}
	return {
		status: typeof statusCode === 'number' ? statusCode : 0,
		headers: texts,
	};
}

function msgOf(text: string): string {
	return quoted(text.length > maxMsgLength ? `${text.slice(0, maxMsgLength)}…` : text);
}

function excerptOf(body: string): string {
	const page = webPage(body);
	if (page !== undefined) return quoted(page);
	const text = body
		.slice(0, 4 * excerptLength)
		.replace(/\s+/g, ' ')
		.trim();
	return text === '' ? '(empty body)' : quoted(text.slice(0, excerptLength));
}
