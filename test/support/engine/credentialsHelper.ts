import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { CloudScrapingApi } from '../../../credentials/CloudScrapingApi.credentials';
import { UnstoredCredentials } from './unstoredCredentials';

/** Hands the engine one decrypted credential, and adds it to requests as the credential type says. */
export class OneCredential extends UnstoredCredentials {
	/** How often the engine has asked for the credential. */
	lookups = 0;

	readonly #data: ICredentialDataDecryptedObject;

	constructor(data: ICredentialDataDecryptedObject) {
		super();
		this.#data = data;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await new CloudScrapingApi().authenticate(credentials, request);
	}

	override async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		this.lookups++;
		return await Promise.resolve({ ...this.#data });
	}

	override getCredentialsProperties(): INodeProperties[] {
		return new CloudScrapingApi().properties;
	}
}
