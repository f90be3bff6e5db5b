import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeProperties,
	Workflow,
} from 'n8n-workflow';
import { UnstoredCredentials } from '../../test/support/engine/unstoredCredentials.ts';

/** A decrypted credential and its type. */
export interface BenchCredential {
	data: ICredentialDataDecryptedObject;
	type: ICredentialType;
}

/**
 * Hands the engine credentials, and adds them to requests in the way of n8n's own helper. That one
 * reads them from the database besides, once for each lookup.
 */
export class BenchCredentials extends UnstoredCredentials {
	readonly #credentials: Record<string, BenchCredential>;

	constructor(credentials: Record<string, BenchCredential>) {
		super();
		this.#credentials = credentials;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions,
		workflow: Workflow,
		node: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.#credentials[typeName].type;
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		const headers: Record<string, unknown> = { ...request.headers };
		for (const [name, value] of Object.entries(authenticate?.properties.headers ?? {})) {
			headers[name] = workflow.expression.getSimpleParameterValue(
				node,
				typeof value === 'string' ? value : undefined,
				'internal',
				{ $credentials: credentials },
				undefined,
				'',
			);
		}
		return Object.assign(request, { headers });
	}

	override async getDecrypted(
		...[, , type]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		return await Promise.resolve({ ...this.#credentials[type].data });
	}

	override getCredentialsProperties(): INodeProperties[] {
		return [];
	}
}
