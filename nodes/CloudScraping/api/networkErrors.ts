import { isObject } from './envelope';
import { BodyTooLargeError } from './readBody';
import { redact } from './redact';

/** Codes after which the request cannot have reached the service: there was no connection. */
const NEVER_CONNECTED: ReadonlyMap<string, string> = new Map([
	['ECONNREFUSED', 'The connection was refused: nothing listens at this address.'],
	['ENOTFOUND', 'There is no such host.'],
	['EAI_AGAIN', 'The host name could not be looked up.'],
]);

const DISCONNECTED: ReadonlyMap<string, string> = new Map([
	['ECONNABORTED', 'No answer came in time.'],
	['ETIMEDOUT', 'No answer came in time.'],
	['ECONNRESET', 'The connection was cut before the whole answer had come.'],
	// The whole answer took too long: n8n's helper knows no other word for it.
	['ERR_CANCELED', 'The answer took too long.'],
	['EPIPE', 'The connection was cut before the whole request was sent.'],
]);

/** A request without an answer. */
export interface Unreachable {
	kind: 'unreachable';
	reason: string;
	surelyNeverArrived: boolean;
	/** The answer came, but is too large to read. */
	tooLarge?: boolean;
}

/** What an error of n8n's request helper says about the request, in the user's words and without the API key. */
export function describeNetworkError(error: unknown, apiKey: string): Unreachable {
	if (error instanceof BodyTooLargeError) {
		return {
			kind: 'unreachable',
			reason: error.message,
			surelyNeverArrived: false,
			tooLarge: true,
		};
	}
	const code = findCode(error);
	const never = NEVER_CONNECTED.get(code);
	if (never) {
		return { kind: 'unreachable', reason: `${never} (${code})`, surelyNeverArrived: true };
	}
	const known = DISCONNECTED.get(code);
	const reason = known ? `${known} (${code})` : redact(unknownReason(error, code), apiKey);
	return { kind: 'unreachable', reason, surelyNeverArrived: false };
}

/** n8n wraps the client's error, and the client the system's: the code is somewhere below. */
function findCode(error: unknown, depth = 0): string {
	if (!isObject(error) || depth > 5) return '';
	if (typeof error.code === 'string' && error.code !== '') return error.code;
	return findCode(error.cause, depth + 1);
}

function unknownReason(error: unknown, code: string): string {
	const cause = isObject(error) && isObject(error.cause) ? error.cause : error;
	const message = isObject(cause) && typeof cause.message === 'string' ? cause.message : '';
	return [message || 'The request failed', code && `(${code})`].filter(Boolean).join(' ');
}
