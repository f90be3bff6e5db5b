import { step } from '../scripts/progress.mjs';
import { execute } from './execution.ts';
import type { Execution } from './execution.ts';
import type { N8nApi } from './n8nApi.ts';
import { table } from './table.ts';

const trigger = 'When clicking ‘Execute workflow’';
const rowsShown = 10;

/** Runs the demo workflow in n8n and shows the rows that come out of its last node. */
export async function showDemoRun(
	api: N8nApi,
	workflowId: string,
	say: (text: string) => void,
): Promise<void> {
	const execution = await step(
		'Run the demo workflow: Start Task, poll List Batches, Get Data',
		() => execute(api, workflowId, trigger),
	);
	const rows = execution.runs['Get Data']?.at(-1)?.items;
	if (execution.status === 'success' && rows) {
		say(`\n${rows.length} rows came out of n8n:\n\n${table(rows, rowsShown)}`);
	} else {
		say(`\nThe demo workflow ended with "${execution.status}": ${reasonOf(execution)}`);
		say('Open it in the editor, under Executions, to see which node failed.');
	}
}

function reasonOf({ error }: Execution): string {
	const texts = [error?.message, error?.description].filter((text) => typeof text === 'string');
	return texts.join(' ') || 'n8n gives no reason.';
}
