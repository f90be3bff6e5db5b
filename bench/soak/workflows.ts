import type { JsonObject } from '../../playground/json.ts';

const ourPackage = 'n8n-nodes-cloud-scraping';

/** n8n wants a minute at least between the polls of one schedule, but takes many schedules. */
const everyTenSeconds = [0, 10, 20, 30, 40, 50].map((second) => ({
	mode: 'custom',
	cronExpression: `${second} * * * * *`,
}));

/** What runs all the time: rows as items, rows as a file, and a trigger that sees each batch end. */
export function soakWorkflows(credentialId: string, taskId: string): JsonObject[] {
	const credentials = { cloudScrapingApi: { id: credentialId, name: 'Soak' } };
	const run = (parameters: JsonObject) => ({
		name: 'Run',
		type: `${ourPackage}.cloudScraping`,
		typeVersion: 1,
		parameters: {
			operation: 'runAndGetData',
			taskId,
			options: { pollInterval: 1, pageSize: 20 },
			...parameters,
		},
		credentials,
	});
	const trigger = {
		name: 'On batch finished',
		type: `${ourPackage}.cloudScrapingTrigger`,
		typeVersion: 1,
		parameters: { taskId, output: 'rows', pollTimes: { item: everyTenSeconds } },
		credentials,
	};
	return [
		workflow('Items', [every(5), run({})]),
		workflow('Files', [every(7), run({ output: 'file', fileFormat: 'csv' })]),
		workflow('Trigger', [trigger]),
	];
}

function every(seconds: number): JsonObject {
	return {
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: seconds }] } },
	};
}

function workflow(name: string, nodes: JsonObject[]): JsonObject {
	const [first, second] = nodes.map((node) => String(node.name));
	return {
		name,
		nodes: nodes.map((node, index) => ({
			id: `node-${index}`,
			position: [index * 200, 0],
			...node,
		})),
		connections: second ? { [first]: { main: [[{ node: second, type: 'main', index: 0 }]] } } : {},
		settings: {},
	};
}
