import type { ICredentials } from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

/** Credentials that n8n stores nowhere: who extends this has them. */
export abstract class UnstoredCredentials extends ICredentialsHelper {
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
		return await Promise.reject(new Error('No credential is stored'));
	}

	override async updateCredentials(): Promise<void> {
		await Promise.resolve();
	}

	override async updateCredentialsOauthTokenData(): Promise<void> {
		await Promise.resolve();
	}
}
