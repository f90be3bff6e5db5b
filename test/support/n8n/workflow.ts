import type { JsonObject } from '../../../playground/json.ts';

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: JsonObject;
	credentials?: JsonObject;
	onError?: string;
}

export const manualTrigger: WorkflowNode = {
	name: 'When clicking ‘Execute workflow’',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** The Cloud Scraping node with these parameters and a stored credential. */
export function cloudScraping(
	name: string,
	credentialId: string,
	parameters: JsonObject,
): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-cloud-scraping.cloudScraping',
		typeVersion: 1,
		parameters,
		credentials: { cloudScrapingApi: { id: credentialId, name: 'Test' } },
	};
}

/** A workflow of a manual trigger and these nodes, one after the other. */
export function chain(...nodes: WorkflowNode[]): JsonObject {
	const all = [manualTrigger, ...nodes];
	const links = nodes.map(({ name }, index): [string, JsonObject] => [
		all[index].name,
		{ main: [[{ node: name, type: 'main', index: 0 }]] },
	]);
	return {
		name: nodes.map(({ name }) => name).join(' → '),
		nodes: all.map((node, index) => ({ id: `node-${index}`, position: [index * 200, 0], ...node })),
		connections: Object.fromEntries(links),
		settings: {},
	};
}
