import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { checkBaseUrl, hasAnswered } from './connection';
import type { Connection } from './connection';
import type { Refusal } from './envelope';
import {
	badRequest,
	blamesRequest,
	explainCode,
	isListedCode,
	keyOrAddress,
	mayRejectKey,
	notFound,
	outOfRange,
	unauthorized,
} from './errorCodes';
import type { SentValues } from './errorCodes';
import { withField } from './fieldNames';
import type { Unreachable } from './networkErrors';
import type { Repeatable } from './retries';

/** What error texts say of a request. One that is no GET starts or stops something. */
export interface RequestTexts {
	method: 'GET' | 'POST';
	query?: Record<string, string | number | boolean>;
	body?: IDataObject;
	/** What the user must know when the request may have arrived without an answer. */
	doubt?: string;
	/** What the user may rely on when the request provably never reached the service. */
	certainty?: string;
	/** Which of the entered values the service may mean by its words. */
	meant?: (msg: string) => Meant | undefined;
}

/** A value that was entered, as the user knows it. */
export interface Meant {
	/** In place of what the code says, where the service's words leave no doubt. */
	message?: string;
	advice: string;
}

/** What the user reads of a request that failed for good, after `tries` tries. */
export function describeFailure(
	connection: Connection,
	request: RequestTexts,
	outcome: Refusal | Unreachable,
	tries: number,
): Description {
	const triesMade = tries > 1 ? `Tried ${tries} times.` : undefined;
	return outcome.kind === 'unreachable'
		? describeUnreachable(connection, request, outcome, triesMade)
		: describeRefusal(connection, request, outcome, triesMade);
}

/** What a failed request tells the user. `code` is the envelope's, `status` the HTTP status. */
export interface Failure {
	message: string;
	/** What there is to say of it: what happened, which value, what to do next. */
	details: Array<string | undefined>;
	status?: number;
	code?: number;
	/** The request may have done its work although no answer says so. */
	mayHaveArrived?: boolean;
	/** The answer would take too much memory: smaller pages may help. */
	tooLarge?: boolean;
	requestId: string;
}

type Description = Omit<Failure, 'requestId'>;

/**
 * A NodeApiError for n8n. Built from plain values only: the request that n8n's own errors carry
 * would put the API key into execution data and logs.
 */
export function apiError(node: INode, failure: Failure): NodeApiError {
	const details = [...failure.details, `Request ID: ${failure.requestId}`];
	const description = details.filter((detail) => detail !== undefined).join('\n');
	const response: JsonObject = { message: failure.message };
	const error = new NodeApiError(node, response, {
		message: failure.message,
		description,
		httpCode: failure.status === undefined ? undefined : String(failure.status),
	});
	error.context.requestId = failure.requestId;
	if (failure.tooLarge) error.context.tooLarge = true;
	if (failure.mayHaveArrived) error.context.mayHaveArrived = true;
	if (failure.code !== undefined) error.context.code = failure.code;
	return error;
}

/** What an error says beside its message; empty for one that says no more. */
export function descriptionOf(error: Error): string {
	return 'description' in error && typeof error.description === 'string' ? error.description : '';
}

/** What the service has said in an error of a request, and of which: none of the advice. */
export function saidIn(error: Error): string {
	return [error.message, ...descriptionOf(error).split('\n').filter(isSaid)].join('. ');
}

function isSaid(line: string): boolean {
	return /^(The service says|HTTP|Request ID)/.test(line);
}

/** An error of a request by what is known of it besides: of its description, what the service has said stays. */
export function renamed(error: Error, message: string, advice: string): Error {
	const lines = descriptionOf(error).split('\n').filter(isSaid);
	return Object.assign(error, { message, description: [advice, ...lines].join('\n') });
}

/** Says more about an error than its message, once; `text` stands where the user reads it first or last. */
export function describeMore(error: Error, text: string, where: 'first' | 'last' = 'last'): void {
	const said = descriptionOf(error);
	if (said.includes(text)) return;
	const lines = where === 'first' ? [text, said] : [said, text];
	Object.assign(error, { description: lines.filter((line) => line !== '').join('\n') });
}

/** Whether an error says that the key was turned away, also when it was sent again. */
export function rejectsKeyForGood(error: Error): boolean {
	return apiErrorCode(error) === unauthorized;
}

/**
 * Whether a stop that failed was provably not carried out. "Nothing runs", with whichever code, is no
 * proof of that: it is also what a service says whose batch has just ended by this very stop.
 */
export function provesNotStopped(error: Error): boolean {
	if (!(error instanceof NodeApiError) || error.context.mayHaveArrived === true) return false;
	const code = apiErrorCode(error);
	return code === undefined || error.httpCode === '429' || blamesRequest(code);
}

/** Whether the service has refused a stop for what is there: nothing runs, or there is no such task. */
export function refusesStop(error: Error): boolean {
	const isSure = error instanceof NodeApiError && error.context.mayHaveArrived !== true;
	return isSure && isAnswered(error) && !provesNotStopped(error);
}

/** Whether the service has answered that there is no such task or batch. */
export function saysNotFound(error: Error): boolean {
	return apiErrorCode(error) === notFound;
}

/** Whether the service has refused a request for a reason that its code does not tell. */
export function saysBadRequest(error: Error): boolean {
	return apiErrorCode(error) === badRequest;
}

/** The envelope's code of an error that `apiError` made, if there is one. */
function apiErrorCode(error: unknown): number | undefined {
	if (!(error instanceof NodeApiError)) return undefined;
	return typeof error.context.code === 'number' ? error.context.code : undefined;
}

/** Whether the service has answered a request with an error of its own. */
export function isAnswered(error: unknown): boolean {
	return apiErrorCode(error) !== undefined;
}

/** Turns "the page is too large", said or found, into an answer for the pager; no other error. */
export async function asPageRefusal(
	error: Error,
	repeatable: Repeatable,
): Promise<{ refused: Error }> {
	const isTooLarge = error instanceof NodeApiError && error.context.tooLarge === true;
	if ((isTooLarge && repeatable === 'always') || apiErrorCode(error) === outOfRange)
		return { refused: error };
	return await Promise.reject(error);
}

/** HTTP statuses by which a service without a code for it refuses what a request asks for. */
const refusesParameters = ['400', '416', '422'];

/** The same behind page 1, where what is refused is the page: all else was accepted before. */
export async function asRefusalBehind(error: Error): Promise<{ refused: Error }> {
	const status = error instanceof NodeApiError ? error.httpCode : null;
	const isOfPage = !isListedCode(apiErrorCode(error)) && refusesParameters.includes(status ?? '');
	return isOfPage ? { refused: error } : await asPageRefusal(error, 'always');
}

function describeUnreachable(
	{ baseUrl }: Connection,
	{ certainty, doubt }: RequestTexts,
	{ reason, neverArrived, tooLarge, isFinal }: Unreachable,
	triesMade: string | undefined,
): Description {
	if (tooLarge) {
		return {
			message: 'The answer is too large',
			details: [reason, doubt, 'Ask for fewer rows per request.'],
			mayHaveArrived: true,
			tooLarge,
		};
	}
	const advice = isFinal
		? undefined
		: 'Check the base URL of the credential and whether the service is up.';
	return {
		message: `Could not reach ${baseUrl.host}`,
		details: [reason, triesMade, neverArrived ? certainty : doubt, advice],
		mayHaveArrived: !neverArrived,
	};
}

function describeRefusal(
	connection: Connection,
	request: RequestTexts,
	refusal: Refusal,
	triesMade: string | undefined,
): Description {
	const { status, code, msg, excerpt, saysSuccess } = refusal;
	const said = msg === '' ? undefined : `The service says: ${msg}`;
	if (status === 429 && !saysSuccess) {
		const tooMany = 'HTTP 429: too many requests.';
		const details = [tooMany, said, triesMade, request.certainty, 'Try again later.'];
		return { message: 'The service is busy', details, status, code };
	}
	const isTurnedAway = !saysSuccess && mayRejectKey(refusal);
	// Something on the way may keep back the answer, where it has let the request pass.
	const isUndone = isTurnedAway && request.method === 'GET';
	const isRefused = isListedCode(code) || isUndone || neverSeen(refusal);
	const mayHaveArrived = !isRefused || status === 408 || status >= 500;
	const result = { status, code, mayHaveArrived };
	const known = mayHaveArrived ? request.doubt : request.certainty;
	if (isTurnedAway) {
		const advice = `${checkBaseUrl(connection.baseUrl)} Then check its API key.`;
		const details = [`HTTP ${status}: ${excerpt}`, known, advice, triesMade];
		return { ...result, message: keyOrAddress, details };
	}
	if (code !== undefined) {
		const { message, advice } = explainCode(code, sentValues(request));
		const meant = code === unauthorized ? undefined : request.meant?.(msg);
		if (mayHaveArrived) {
			// What may have been done must not be done again: how to correct it is not said.
			return { ...result, message, details: [said, known ?? advice, meant?.advice, triesMade] };
		}
		const general = meant?.message === undefined ? advice : undefined;
		const details = [said, general, meant?.advice, triesMade];
		return { ...result, message: meant?.message ?? message, details };
	}
	if (status >= 500 || status === 408) {
		const details = [`HTTP ${status}: ${excerpt}`, triesMade, known, 'Try again later.'];
		return { ...result, message: 'The service could not handle the request', details };
	}
	const answer = `HTTP ${status} from ${connection.baseUrl.host}: ${excerpt}`;
	return {
		...result,
		message: 'The address answered, but not as a Cloud Scraping service',
		details: [answer, triesMade, known, adviceOnForeign(connection, refusal)],
	};
}

function adviceOnForeign(connection: Connection, { location }: Refusal): string {
	if (location !== undefined) {
		return `Set the base URL of the credential to ${location}, if you trust that address.`;
	}
	return hasAnswered(connection)
		? 'It worked earlier: the service, or a proxy in front of it, may be down. Try again later.'
		: checkBaseUrl(connection.baseUrl);
}

/**
 * Nothing behind these redirects, a missing page or a proxy that asks for a login has seen the request.
 * Not so "303 See Other": that is what comes after a POST has been carried out.
 */
function neverSeen({ isForeign, status }: Refusal): boolean {
	return isForeign && [301, 302, 307, 308, 404, 407].includes(status);
}

function sentValues({ query, body }: RequestTexts): SentValues {
	const sent = Object.entries({ ...query, ...body });
	return {
		identifiers: sent
			.filter(([name]) => name === 'taskID' || name === 'batchID')
			.map(([name, value]) => `${name} ${JSON.stringify(value)}`)
			.join(', '),
		parameters: sent.map(([name]) => withField(name)).join(', '),
	};
}
