import { provideCredential } from './demoCredential.ts';
import type { DemoCredential } from './demoCredential.ts';
import { provideWorkflows } from './demoWorkflows.ts';
import { listInstalledPackage } from './installedPackages.ts';
import { N8nRefused } from './n8nApi.ts';
import type { N8nApi } from './n8nApi.ts';
import type { Settings } from './settings.ts';

export interface Provision {
	/** Renewed where something has been made or has changed. */
	settings: Settings;
	userFolder: string;
	packageName: string;
	serviceUrl: string;
	/** The folder of the demo workflows. */
	workflows: string;
}

/**
 * Gives n8n its owner, the credential for the local service and the demo workflows. Returns nothing
 * if the user has changed the owner's login: then n8n is theirs.
 */
export async function provide(
	api: N8nApi,
	{ settings, userFolder, packageName, serviceUrl, workflows }: Provision,
): Promise<DemoCredential | undefined> {
	try {
		await api.signIn(settings.login);
	} catch (error) {
		if (error instanceof N8nRefused && error.status === 401) return undefined;
		throw error;
	}
	await listInstalledPackage(api, userFolder, packageName);
	const credential = await provideCredential(api, settings, serviceUrl);
	await provideWorkflows(api, settings, workflows, credential, serviceUrl);
	return credential;
}
