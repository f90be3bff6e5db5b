import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../../../playground/execution.ts';
import type { Execution } from '../../../playground/execution.ts';
import { listAt, objectAt, textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import type { TestN8n } from './n8n';

export const examples = join(__dirname, '..', '..', '..', 'examples');

/** The credentials that a user chooses after the import, by their type: their ids in n8n. */
export type Credentials = Record<string, string>;

/** Which credential the nodes take whose users choose one that a test can have. */
const credentialOf: Record<string, string | undefined> = {
	'n8n-nodes-cloud-scraping.cloudScraping': 'cloudScrapingApi',
	'n8n-nodes-cloud-scraping.cloudScrapingTool': 'cloudScrapingApi',
	'n8n-nodes-cloud-scraping.cloudScrapingTrigger': 'cloudScrapingApi',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

export function readTemplate(file: string): JsonObject {
	return objectAt(JSON.parse(readFileSync(join(examples, file), 'utf8')));
}

/** A copy of the template in which `change` has been applied to every node. */
export function withNodes(
	template: JsonObject,
	change: (node: JsonObject) => JsonObject,
): JsonObject {
	return { ...template, nodes: listAt(template, 'nodes').map((node) => change(objectAt(node))) };
}

/** What a user does after the import: chooses the credentials. Everything else stays as shipped. */
export function withCredentials(template: JsonObject, credentials: Credentials): JsonObject {
	return withNodes(template, (node) => {
		const type = credentialOf[textAt(node, 'type')];
		if (type === undefined) return node;
		return { ...node, credentials: { [type]: { id: credentials[type], name: type } } };
	});
}

export async function importTemplate({ api }: TestN8n, template: JsonObject): Promise<string> {
	return textAt(await api.post('/rest/workflows', template), 'id');
}

/** Runs an imported template from its trigger, which is its first node; whatever comes of it. */
export async function tryTemplate({ api }: TestN8n, id: string): Promise<Execution> {
	const stored = await api.get(`/rest/workflows/${id}`);
	return execute(api, id, textAt(listAt(stored, 'nodes')[0], 'name'));
}

/** The same, where all goes well. */
export async function runTemplate(n8n: TestN8n, id: string): Promise<Execution> {
	const execution = await tryTemplate(n8n, id);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}
