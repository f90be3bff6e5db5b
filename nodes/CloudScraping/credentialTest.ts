import { randomUUID } from 'node:crypto';

import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { checkBaseUrl, endpointUrl, readAccess } from './api/connection';
import { readAnswer } from './api/envelope';
import type { Refusal } from './api/envelope';
import { isListedCode, keyOrAddress, mayRejectKey, unauthorized } from './api/errorCodes';
import { isObject } from './api/json';
import { describeNetworkError } from './api/networkErrors';

/** No task has this identifier, so a service that accepts the key answers "not found". */
const noTask = '00000000-0000-0000-0000-000000000000';

const batchesPath = '/cloud/batches';

const timeoutMs = 20_000;

/**
 * Tests a credential with one cheap request. It asks for the batches of a task that does not exist:
 * the specification does not say which code that gets, so a key works for every listed one (section 7)
 * but the one that rejects it, whatever the HTTP status.
 */
export async function cloudScrapingApiTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const access = readAccess(data);
	if ('problem' in access) return refused(access.problem);
	const { baseUrl, apiKey } = access;
	// The only HTTP function that n8n gives to credential tests (n8n-io/n8n#25190).
	const { request } = this.helpers;
	try {
		const response: unknown = await request({
			method: 'GET',
			uri: endpointUrl(baseUrl, batchesPath, {
				page: 1,
				size: 1,
				taskID: noTask,
				orderBy: 0,
			}),
			headers: {
				Accept: 'application/json',
				Authorization: `Bearer ${apiKey}`,
				'x-cp-request-id': randomUUID(),
			},
			json: false,
			simple: false,
			followRedirect: false,
			resolveWithFullResponse: true,
			timeout: timeoutMs,
		});
		const body = isObject(response) && typeof response.body === 'string' ? response.body : '';
		const answer = readAnswer(response, body, { apiKey, url: baseUrl.href }, () => true);
		return answer.kind === 'success' ? accepted : explain(answer, baseUrl);
	} catch (error) {
		const { reason } = describeNetworkError(error, apiKey, baseUrl);
		return refused(
			`Could not reach ${baseUrl.host}. ${reason} Check the base URL and whether the service is up.`,
		);
	}
}

const accepted: INodeCredentialTestResult = { status: 'OK', message: 'The API key works' };

function explain({ code, msg, status, excerpt }: Refusal, baseUrl: URL) {
	if (code === unauthorized) {
		return refused(
			`API key rejected: ${baseUrl.host} does not know this key. Copy it again whole, or create one in the service's web console, on the page Keys.`,
		);
	}
	if (mayRejectKey({ code, status })) {
		return refused(`${keyOrAddress} (HTTP ${status}: ${excerpt}). ${checkBaseUrl(baseUrl)}`);
	}
	if (isListedCode(code)) {
		return missesPath(msg, baseUrl)
			? refused(`The base URL does not lead to the service: ${msg} ${checkBaseUrl(baseUrl)}`)
			: accepted;
	}
	if (code !== undefined)
		return refused(
			`The service answered with error ${code}: ${msg || 'no explanation'}. Ask its support what that means.`,
		);
	if (status === 429 || status >= 500) {
		return refused(
			`The service is ${status === 429 ? 'busy' : 'not working'} (HTTP ${status}). Try again later.`,
		);
	}
	return refused(
		`${baseUrl.host} is not a Cloud Scraping service (HTTP ${status}: ${excerpt}). ${checkBaseUrl(baseUrl)}`,
	);
}

/** Whether a base URL with a path is refused because of that, which the refusal names, and not because of the task. */
function missesPath(msg: string, baseUrl: URL): boolean {
	return (
		baseUrl.pathname !== '/' && msg.includes(new URL(endpointUrl(baseUrl, batchesPath)).pathname)
	);
}

function refused(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
