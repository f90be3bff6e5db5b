import { randomUUID } from 'node:crypto';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { cancelledBy, throwIfCancelled, withSignal } from './cancel';
import { credentialType, endpointUrl, hasAnswered } from './connection';
import type { Connection } from './connection';
import { readAnswer } from './envelope';
import type { Refusal, Success } from './envelope';
import { apiError, describeFailure } from './errors';
import type { RequestTexts } from './errors';
import { describeNetworkError } from './networkErrors';
import type { Unreachable } from './networkErrors';
import { pause } from './pause';
import { readBody } from './readBody';
import { maxTries, mayRetry, retryDelay } from './retries';
import type { Repeatable } from './retries';

/** A service that does not begin to answer within this time is treated as unreachable. */
export const timeoutMs = 60_000;

/** The whole answer must have come within this time: one that drips must not hold the workflow. */
const maxAnswerMs = 300_000;

export interface ApiRequest<T = unknown> extends RequestTexts {
	path: '/cloud/start' | '/cloud/stop' | '/cloud/batches' | '/cloud/data';
	repeatable: Repeatable;
	/** A cancel does not cut it once it is sent: whether it had arrived would never be known. */
	ignoresCancel?: boolean;
	/** Sends a try once it may be sent. */
	schedule?: <A extends { kind: string; status?: number }>(sendTry: () => Promise<A>) => Promise<A>;
	/** Whether it is still right to send it after a pause; always unless said otherwise. */
	mayGoOn?: () => boolean;
	/** Reads `data` of the envelope; undefined when it is not what the specification says. */
	read: (data: unknown) => T | undefined;
}

/** What came of sending a request once. */
type Attempt<T> = Success<T> | Refusal | Unreachable;

/**
 * Sends a request to the service and returns `data` of its envelope (section 2.1).
 * Sends it again only where `repeatable` allows. Throws a NodeApiError that says what happened.
 */
export async function callApi<T>(connection: Connection, request: ApiRequest<T>): Promise<T> {
	let outcome: Refusal | Unreachable | undefined;
	for (let tries = 1; ; tries++) {
		const requestId = randomUUID();
		const sendTry = async () => await send(connection, request, requestId);
		const attempt = await (request.schedule?.(sendTry) ?? sendTry());
		if (attempt.kind === 'success') return attempt.data;
		const before = { hasAnswered: hasAnswered(connection), outcome };
		outcome = attempt;
		const failure = apiError(connection.node, {
			...describeFailure(connection, request, attempt, tries),
			requestId,
		});
		if (tries >= maxTries || !mayRetry(attempt, request.repeatable, before)) throw failure;
		connection.noteFailure?.(failure);
		await pause(retryDelay(attempt, tries), connection.cancelSignal);
		throwIfCancelled(connection);
		if (request.mayGoOn?.() === false) throw failure;
	}
}

async function send<T>(
	connection: Connection,
	request: ApiRequest<T>,
	requestId: string,
): Promise<Attempt<T>> {
	throwIfCancelled(connection);
	const sending = request.ignoresCancel ? withSignal(connection, undefined) : connection;
	const { context, credential } = cancelledBy(sending, AbortSignal.timeout(maxAnswerMs));
	const options = httpOptions(connection, request, requestId);
	try {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			credentialType,
			options,
			{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } },
		);
		const body = await readBody(response);
		const answer = readAnswer(
			response,
			body,
			{ apiKey: connection.apiKey, url: options.url },
			request.read,
		);
		if (answer.kind === 'success') connection.answered.add(connection.baseUrl.href);
		return answer;
	} catch (error) {
		throwIfCancelled(sending);
		return describeNetworkError(error, connection.apiKey, connection.baseUrl);
	}
}

/**
 * No redirect is followed: the key would go to an address that the user did not name.
 * Every status is an answer: n8n's helper would send a request again on HTTP 401, even a start.
 */
function httpOptions(
	{ baseUrl }: Connection,
	{ method, path, query, body }: ApiRequest,
	requestId: string,
): IHttpRequestOptions {
	return {
		method,
		url: endpointUrl(baseUrl, path, query),
		headers: {
			Accept: 'application/json',
			'x-cp-request-id': requestId,
			// A list that a proxy has kept does not know of batches that have begun since.
			...(method === 'GET' && { 'Cache-Control': 'no-cache' }),
			...(body && { 'Content-Type': 'application/json' }),
		},
		...(body && { body: JSON.stringify(body) }),
		encoding: 'stream',
		json: false,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: timeoutMs,
	};
}
