import { listAt, objectAt, textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import type { N8nApi } from '../../../playground/n8nApi.ts';
import { cloudScraping } from '../../support/n8n/workflow';
import type { WorkflowNode } from '../../support/n8n/workflow';
import { numberedTask, openStep } from './numberedSite';

/** The node of `runOnWebhook` that scrapes. */
export const scrape = 'Scrape';

/** A workflow that is called from outside: starts the task with what it is sent, and gets the rows. */
export function runOnWebhook(path: string, credential: string, parameters: JsonObject): JsonObject {
	const webhook: WorkflowNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' },
	};
	const run = cloudScraping(scrape, credential, {
		operation: 'runAndGetData',
		taskId: numberedTask.taskID,
		actionParams: { navigate: [{ id: openStep, url: '={{ $json.body.list }}' }] },
		returnAll: true,
		...parameters,
		options: { pollInterval: 1, pageSize: 8, ...objectAt(parameters.options ?? {}) },
	});
	return {
		name: path,
		nodes: [
			{ ...webhook, id: 'webhook', webhookId: path, position: [0, 0] },
			{ ...run, id: 'scrape', position: [200, 0] },
		],
		connections: { Webhook: { main: [[{ node: scrape, type: 'main', index: 0 }]] } },
		settings: {},
	};
}

/** Stores a workflow and activates it; returns its id. */
export async function activate(api: N8nApi, workflow: JsonObject): Promise<string> {
	const stored = objectAt(await api.post('/rest/workflows', workflow));
	const id = textAt(stored, 'id');
	await api.post(`/rest/workflows/${id}/activate`, { versionId: stored.versionId });
	return id;
}

/** An execution as n8n lists it. */
export interface Listed {
	id: string;
	status: string;
}

/** All executions of a workflow, of which there are 100 at most: n8n lists no more at once. */
export async function executionsOf(api: N8nApi, workflowId: string): Promise<Listed[]> {
	const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
	const found = listAt(await api.get(`/rest/executions?${query.toString()}`), 'results');
	return found.map((entry) => ({ id: textAt(entry, 'id'), status: textAt(entry, 'status') }));
}
