import { isObject } from './json';
import { BodyTooLargeError } from './readBody';
import { redact } from './redact';

const untrusted =
	'The certificate of the host is not trusted. If it is your own, set the environment variable NODE_EXTRA_CA_CERTS to the file of its certificate authority, and restart n8n.';

/**
 * Codes after which the request cannot have reached the service: there was no connection, or its
 * certificate was refused, which is before anything is sent.
 */
const neverConnected: ReadonlyMap<string, string> = new Map([
	['ECONNREFUSED', 'The connection was refused: nothing listens at this address.'],
	['ENOTFOUND', 'The host was not found.'],
	['EAI_AGAIN', 'The host name could not be looked up.'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
	['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
	['UNABLE_TO_GET_ISSUER_CERT', untrusted],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
	['CERT_HAS_EXPIRED', 'The certificate of the host has expired.'],
	['CERT_NOT_YET_VALID', 'The certificate of the host is not valid yet.'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate of the host is for another host name.'],
]);

/**
 * The same for codes that can also come later: these words stand only in errors of the handshake.
 * With ERR_SSL_WRONG_VERSION_NUMBER they come from a connection that was established.
 */
const untrustedConnections: ReadonlyArray<{ code: string; words: string; reason: string }> = [
	{
		code: 'EPROTO',
		words: 'wrong version number',
		reason: 'The host does not speak TLS at this port: use http://, or another port.',
	},
	{
		code: 'ECONNRESET',
		words: 'before secure TLS connection was established',
		reason: 'The host closed the connection before it was secured.',
	},
];

const disconnected: ReadonlyMap<string, string> = new Map([
	['ECONNABORTED', 'No answer came in time.'],
	['ETIMEDOUT', 'No answer came in time.'],
	['ECONNRESET', 'The connection was closed before the whole answer had come.'],
	// The whole answer took too long: n8n's helper knows no other word for it.
	['ERR_CANCELED', 'The answer took too long.'],
	['EPIPE', 'The connection was closed before the whole request was sent.'],
]);

/** A request without an answer. */
export interface Unreachable {
	kind: 'unreachable';
	reason: string;
	neverArrived: boolean;
	/** The answer came, but is too large to read. */
	tooLarge?: boolean;
	/** It will be the same at the next try: a certificate. */
	isFinal?: boolean;
}

/** What an error of n8n's request helper says about the request, in the user's words and without the API key. */
export function describeNetworkError(error: unknown, apiKey: string, baseUrl: URL): Unreachable {
	if (error instanceof BodyTooLargeError) {
		return {
			kind: 'unreachable',
			reason: error.message,
			neverArrived: false,
			tooLarge: true,
		};
	}
	const { code, words } = findCoded(error);
	const never = neverConnected.get(code) ?? neverSecured(code, words);
	if (never) {
		const proxy = proxyIn(words, baseUrl);
		const reason = `${proxy ? `The proxy ${proxy} that n8n is set to use does not answer. ${never}` : never} (${code})`;
		return {
			kind: 'unreachable',
			reason,
			neverArrived: true,
			isFinal: /CERT|SIGNATURE/.test(code),
		};
	}
	const known = disconnected.get(code);
	const reason = known ? `${known} (${code})` : redact(unknownReason(error, code), apiKey);
	return { kind: 'unreachable', reason, neverArrived: false };
}

/** The system's code of an error, and all that is said beside it. */
interface Coded {
	code: string;
	words: string;
}

/**
 * n8n wraps the client's error, and the client the system's: the code is somewhere below. An n8n that
 * drops the cause has moved the code to `httpCode`, and the system's words to `messages`.
 */
function findCoded(error: unknown, depth = 0): Coded {
	if (!isObject(error) || depth > 5) return { code: '', words: '' };
	const code = [error.code, error.httpCode].find(isSystemCode);
	if (code === undefined) return findCoded(error.cause, depth + 1);
	return { code, words: [error.message, ...systemWords(error)].join('\n') };
}

/** Such as ECONNREFUSED; an HTTP status is none. */
function isSystemCode(value: unknown): value is string {
	return typeof value === 'string' && /^[A-Z]/.test(value);
}

function systemWords({ messages }: Record<string, unknown>): unknown[] {
	return Array.isArray(messages) ? messages : [];
}

/**
 * The host that could not be reached, when it is not the one of the base URL: n8n asks through a proxy
 * then (HTTP_PROXY, HTTPS_PROXY). The base URL has a name where a refused connection has an address, so
 * of that only the port tells, unless both are addresses.
 */
function proxyIn(words: string, { hostname, port, protocol }: URL): string | undefined {
	const [, unknownHost] = /(?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/.exec(words) ?? [];
	if (unknownHost) return unknownHost === hostname ? undefined : unknownHost;
	const [, address, refusedPort] =
		/ECONNREFUSED \[?([\da-f.:]+?)\]?:(\d+)(?!\S)/i.exec(words) ?? [];
	if (!address) return undefined;
	const ownPort = port || (protocol === 'https:' ? '443' : '80');
	const isOther = /^[\d.]+$/.test(hostname) && /^[\d.]+$/.test(address) && address !== hostname;
	return refusedPort !== ownPort || isOther ? `${address}:${refusedPort}` : undefined;
}

function neverSecured(code: string, words: string): string | undefined {
	return untrustedConnections.find((one) => one.code === code && words.includes(one.words))?.reason;
}

function unknownReason(error: unknown, code: string): string {
	const cause = isObject(error) && isObject(error.cause) ? error.cause : error;
	const said = isObject(cause) ? [...systemWords(cause), cause.message] : [];
	const message = said.find((one): one is string => typeof one === 'string' && one !== '');
	return [message ?? 'No answer came', code && `(${code})`].filter(Boolean).join(' ');
}
