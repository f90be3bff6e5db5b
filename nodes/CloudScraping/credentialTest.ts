import { randomUUID } from 'node:crypto';

import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { checkBaseUrl, endpointUrl, readAccess } from './api/connection';
import { readAnswer } from './api/envelope';
import type { Refusal, Success } from './api/envelope';
import { isListedCode, keyOrAddress, mayRejectKey, unauthorized } from './api/errorCodes';
import { isObject } from './api/json';
import { describeNetworkError } from './api/networkErrors';

/** No task has this identifier, so a service that accepts the key answers "not found". */
const noTask = '00000000-0000-0000-0000-000000000000';

const batchesPath = '/cloud/batches';

const timeoutMs = 20_000;

/**
 * Tests a credential with a cheap request. It asks for the batches of a task that does not exist: the
 * specification does not say which code that gets, so a key works for every listed one (section 7) but
 * the one that rejects it, whatever the HTTP status. Some services answer each path that they do not
 * know with such a code: only what becomes another answer without the key comes from the endpoint.
 */
export async function cloudScrapingApiTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const access = readAccess(data);
	if ('problem' in access) return refused(access.problem);
	const { baseUrl, apiKey } = access;
	try {
		const answer = await askForBatches(this, access, { Authorization: `Bearer ${apiKey}` });
		if (answer.kind === 'success') return accepted;
		if (!mayRefuseTask(answer)) return explain(answer, baseUrl);
		const withoutKey = await askForBatches(this, access);
		const isSame = withoutKey.kind === 'refusal' && withoutKey.code === answer.code;
		return isSame ? notTheService(answer, baseUrl) : accepted;
	} catch (error) {
		const { reason } = describeNetworkError(error, apiKey, baseUrl);
		return refused(
			`Could not reach ${baseUrl.host}. ${reason} Check the base URL and whether the service is up.`,
		);
	}
}

const accepted: INodeCredentialTestResult = { status: 'OK', message: 'The API key works' };

async function askForBatches(
	{ helpers }: ICredentialTestFunctions,
	{ baseUrl, apiKey }: { baseUrl: URL; apiKey: string },
	key: { Authorization?: string } = {},
): Promise<Success<boolean> | Refusal> {
	// The only HTTP function that n8n gives to credential tests.
	const response: unknown = await helpers.request({
		method: 'GET',
		uri: endpointUrl(baseUrl, batchesPath, { page: 1, size: 1, taskID: noTask, orderBy: 0 }),
		headers: { Accept: 'application/json', ...key, 'x-cp-request-id': randomUUID() },
		json: false,
		simple: false,
		followRedirect: false,
		resolveWithFullResponse: true,
		timeout: timeoutMs,
	});
	const body = isObject(response) && typeof response.body === 'string' ? response.body : '';
	return readAnswer(response, body, { apiKey, url: baseUrl.href }, () => true);
}

/** Whether the endpoint may have refused the task, with a key that works. */
function mayRefuseTask({ code }: Refusal): boolean {
	return isListedCode(code) && code !== unauthorized;
}

/** The answer is the same whether or not there is a key: the endpoint, which needs one, has not given it. */
function notTheService({ status, msg }: Refusal, baseUrl: URL) {
	return refused(
		`The base URL is not that of the service: ${endpointUrl(baseUrl, batchesPath)} answers the same without an API key (HTTP ${status}: ${msg || 'no hint'}). ${checkBaseUrl(baseUrl)}`,
	);
}

function explain({ code, msg, status, excerpt }: Refusal, baseUrl: URL) {
	if (code === unauthorized) return refused('API key rejected');
	if (mayRejectKey({ code, status })) {
		return refused(`${keyOrAddress} (HTTP ${status}: ${excerpt}). ${checkBaseUrl(baseUrl)}`);
	}
	if (code !== undefined)
		return refused(
			`The service answered with error ${code}: ${msg || 'no hint'}. Ask its support what that means.`,
		);
	if (status === 429 || status >= 500) {
		return refused(
			`The service is ${status === 429 ? 'busy' : 'failing'} (HTTP ${status}). Try again later.`,
		);
	}
	return refused(
		`${baseUrl.host} answered, but not as a Cloud Scraping service (HTTP ${status}: ${excerpt}). ${checkBaseUrl(baseUrl)}`,
	);
}

function refused(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
