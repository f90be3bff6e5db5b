import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

export const credentialType = 'cloudScrapingApi';

/** The parts of n8n that can talk to the service: a running node, a dropdown, a poll. */
export type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A service to talk to: whose credential, at which address, until when. */
export interface Connection {
	context: ApiContext;
	node: INode;
	baseUrl: URL;
	apiKey: string;
	credential: ICredentialDataDecryptedObject;
	/** See `cancelSignalOf`. */
	cancelSignal?: AbortSignal;
	/**
	 * Base URLs that have answered as the API does since this node, poll or dropdown began, whichever
	 * item it was for. What comes from them and is no such answer is a fault that may pass.
	 */
	answered: Set<string>;
	/** Is told of each answer after which a request is sent again. */
	noteFailure?: (failure: Error) => void;
}

const answeredTo = new WeakMap<ApiContext, Set<string>>();

/**
 * Reads the credential once for all requests of an item, so that base URL and key always belong
 * together. Throws a NodeOperationError when either cannot be used; nothing is sent then.
 */
export async function connect(context: ApiContext, itemIndex = 0): Promise<Connection> {
	const node = context.getNode();
	const credential = await context.getCredentials(credentialType, itemIndex);
	const access = readAccess(credential);
	if ('problem' in access) {
		throw new NodeOperationError(node, access.problem, {
			description: 'Open the Cloud Scraping API credential of this node and correct it.',
		});
	}
	const answered = answeredTo.get(context) ?? new Set();
	answeredTo.set(context, answered);
	return {
		context,
		node,
		...access,
		credential,
		answered,
		cancelSignal: cancelSignalOf(context),
	};
}

/** Aborts when the user cancels the execution; polls and dropdowns have none. */
export function cancelSignalOf(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Address and key of a decrypted credential, or what is wrong with them. */
export function readAccess({
	baseUrl,
	apiKey,
}: ICredentialDataDecryptedObject): { baseUrl: URL; apiKey: string } | { problem: string } {
	const address = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	// People paste keys with white space around them.
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	const problem = baseUrlProblem(address) ?? apiKeyProblem(key);
	return problem ? { problem } : { baseUrl: withoutEndpoint(new URL(address)), apiKey: key };
}

/** People paste the address of an endpoint: each path of the API begins with /cloud. */
function withoutEndpoint(url: URL): URL {
	const [, before] = /^(.*)\/cloud(?:\/.*)?$/.exec(url.pathname) ?? [];
	if (before !== undefined) url.pathname = before;
	return url;
}

function baseUrlProblem(text: string): string | undefined {
	if (text === '') return 'The base URL is empty';
	// Without a scheme, `localhost:8080` would be an address of the scheme `localhost`.
	const host = text.replace(/^\/+/, '');
	if (!text.includes('://') && URL.canParse(`http://${host}`)) {
		return `The base URL must start with http:// or https://: enter http://${host} or https://${host}`;
	}
	if (!URL.canParse(text)) return `The base URL "${text}" is not a web address`;
	const url = new URL(text);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		return `The base URL must start with http:// or https://, not with ${url.protocol}`;
	}
	if (url.username !== '' || url.password !== '') {
		return 'The base URL must not contain a user name or password';
	}
	if (url.search !== '' || url.hash !== '') {
		return `The base URL must not contain "?" or "#": enter an address such as ${url.origin}, not that of a page`;
	}
	return undefined;
}

/** A key with a line break would break out of its header. */
function apiKeyProblem(key: string): string | undefined {
	if (key.trim() === '') return 'The API key is empty';
	if (/^bearer\s/i.test(key)) {
		return 'The API key begins with "Bearer", which is put before it anyway: enter what stands behind it';
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		return 'The API key contains a space, a line break or another invalid character';
	}
	return undefined;
}

/** The address of an endpoint below the base URL; values in `query` are always escaped. */
export function endpointUrl(
	baseUrl: URL,
	path: string,
	query: Record<string, string | number | boolean> = {},
): string {
	const url = new URL(baseUrl);
	url.pathname = url.pathname.replace(/\/+$/, '') + path;
	for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
	return url.href;
}

/** What to do about an address that may be another one's: people paste that of a page of the console. */
export function checkBaseUrl({ href, origin, pathname }: URL): string {
	const check = 'Check the base URL of the credential';
	if (pathname === '/') return `${check}.`;
	return `${check}: if ${href} is a page, such as one of the console, enter ${origin}.`;
}

/** Whether the service of a connection has answered before as the API does. */
export function hasAnswered({ answered, baseUrl }: Connection): boolean {
	return answered.has(baseUrl.href);
}
