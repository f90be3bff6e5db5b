import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

import { CloudScrapingApi } from '../../../credentials/CloudScrapingApi.credentials';

/** Hands the engine one decrypted credential, and adds it to requests as the credential type says. */
export class OneCredential extends ICredentialsHelper {
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

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async preAuthentication(): Promise<undefined> {
		await Promise.resolve();
	}

	override async runPreAuthentication(): Promise<undefined> {
		await Promise.resolve();
	}

	override async getCredentials(): Promise<ICredentials> {
		return await Promise.reject(new Error('The engine tests store no credential'));
	}

	override async updateCredentials(): Promise<void> {
		await Promise.resolve();
	}

	override async updateCredentialsOauthTokenData(): Promise<void> {
		await Promise.resolve();
	}

	override getCredentialsProperties(): INodeProperties[] {
		return new CloudScrapingApi().properties;
	}
}
