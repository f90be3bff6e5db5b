import { consoleClient } from './console';
import { plainText } from './plainText';

/** A workflow of n8n as it stands on the clipboard. */
export interface CopiedWorkflow {
	nodes: {
		name: string;
		type: string;
		typeVersion: number;
		parameters: Record<string, unknown>;
		credentials?: unknown;
	}[];
	connections: Record<string, unknown>;
}

/** The names of what a task's page has to copy for n8n, in their order. */
export const copiedNames = [
	'Run it and get its rows',
	'Each morning, only new rows',
	'In two parts, with a trigger for its end',
];

const entities: Record<string, string> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&#39;': "'",
};

/** What the buttons of a task's page in the console copy for n8n, by their names. */
export async function copiedWorkflows(
	service: Parameters<typeof consoleClient>[0],
	taskID: string,
): Promise<Map<string, CopiedWorkflow>> {
	const ask = await consoleClient(service);
	const page = await (await ask(`/console/tasks/${taskID}`)).text();
	const buttons = [...page.matchAll(/<button[^>]* data-copy="(\{[^"]*)">([^<]*)</g)];
	if (buttons.length === 0) throw new Error(`Nothing can be copied: ${plainText(page)}`);
	return new Map(
		buttons.map(([, escaped = '', name = '']): [string, CopiedWorkflow] => {
			const text = escaped.replace(/&\w+;|&#39;/g, (entity) => entities[entity] ?? entity);
			return [name.trim(), JSON.parse(text) as CopiedWorkflow];
		}),
	);
}
