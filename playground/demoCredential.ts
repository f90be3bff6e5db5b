import { isObject, textAt } from './json.ts';
import type { N8nApi } from './n8nApi.ts';
import type { Settings } from './settings.ts';

export const credentialType = 'cloudScrapingApi';
const name = 'Local Cloud Scraping service';

export interface DemoCredential {
	id: string;
	name: string;
	/** Where the user pointed it to; nothing while it leads to the local service. */
	changedTo?: string;
}

/**
 * Sees to it that n8n has a credential for the local service, which may have moved to another port
 * since the last start. One that the user has pointed elsewhere stays as it is.
 */
export async function provideCredential(
	api: N8nApi,
	settings: Settings,
	baseUrl: string,
): Promise<DemoCredential> {
	const data = {
		baseUrl,
		apiKey: settings.apiKey,
		// n8n's own fields: its node HTTP Request may take the key to the local service, and nowhere else.
		allowedHttpRequestDomains: 'domains',
		allowedDomains: new URL(baseUrl).hostname,
	};
	const known = settings.credential;
	const stored = known && (await api.find(`/rest/credentials/${known.id}?includeData=true`));
	if (!known || !stored) {
		const created = await api.post('/rest/credentials', { name, type: credentialType, data });
		const id = textAt(created, 'id');
		settings.credential = { id, baseUrl };
		return { id, name };
	}
	const credential = { id: known.id, name: textAt(stored, 'name') };
	const current = isObject(stored.data) ? textAt(stored.data, 'baseUrl') : known.baseUrl;
	if (current !== known.baseUrl) return { ...credential, changedTo: current };
	if (current !== baseUrl) {
		await api.patch(`/rest/credentials/${known.id}`, {
			name: credential.name,
			type: credentialType,
			data,
		});
		settings.credential = { id: known.id, baseUrl };
	}
	return credential;
}
