import { shopTask } from '../shop/shopTask';
import type { Stage } from './stage';
import { chain, cloudScraping } from './workflow';

/** Runs the shop's task to its end in n8n, so that there is a finished batch. */
export async function runShopTask({ n8n, credential }: Stage): Promise<void> {
	const run = cloudScraping('Run', credential, {
		operation: 'runAndGetData',
		taskId: shopTask.id,
		options: { pollInterval: 1 },
	});
	await n8n.runWorkflow(chain(run));
}
