import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { credentialType } from './demoCredential.ts';
import { isObject, listAt, objectAt, textAt } from './json.ts';
import type { JsonObject } from './json.ts';
import type { N8nApi } from './n8nApi.ts';
import type { Settings } from './settings.ts';

/** The workflow that every start runs once. */
export const demoWorkflowId = 'cloudScrapeDemo1';

/** The same in one node, for people to begin with. */
export const simpleDemoId = 'cloudScrapeDemo2';

/** The address of the local service in the files. */
const usualServiceUrl = 'http://127.0.0.1:8787';

interface CredentialReference {
	id: string;
	name: string;
}

/**
 * Sees to it that n8n has the workflows of a folder, with the credential in their nodes. One that the
 * user has changed in the editor stays as it is; one that has only changed in its file is renewed. Where
 * the workflows speak of the local service they name its address.
 */
export async function provideWorkflows(
	api: N8nApi,
	settings: Settings,
	folder: string,
	credential: CredentialReference,
	serviceUrl: string,
): Promise<void> {
	for (const file of workflowFiles(folder)) {
		const text = readFileSync(file, 'utf8').replaceAll(usualServiceUrl, serviceUrl);
		const workflow = readWorkflow(text, credential);
		const id = textAt(workflow, 'id');
		const hash = createHash('sha256').update(text).update(credential.id).digest('hex');
		const known = settings.workflows[id];
		const stored = await api.find(`/rest/workflows/${id}`);
		if (stored && (known?.file === hash || known?.version !== textAt(stored, 'versionId')))
			continue;
		const saved = stored
			? await api.patch(`/rest/workflows/${id}`, workflow)
			: await api.post('/rest/workflows', workflow);
		settings.workflows[id] = { file: hash, version: textAt(saved, 'versionId') };
	}
}

export function workflowFiles(folder: string): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => join(folder, name));
}

/** The workflow of a file's text, with this credential in every node that takes one of our service. */
export function readWorkflow(text: string, credential: CredentialReference): JsonObject {
	const workflow = objectAt(JSON.parse(text));
	const nodes = listAt(workflow, 'nodes').map((entry) => {
		const node = objectAt(entry);
		if (!isObject(node.credentials) || !(credentialType in node.credentials)) return node;
		const { id, name } = credential;
		return { ...node, credentials: { [credentialType]: { id, name } } };
	});
	return { ...workflow, nodes };
}
