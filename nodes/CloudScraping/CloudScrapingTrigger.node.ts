import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { cloudScrapingApiTest } from './credentialTest';
import { pollEndedBatches } from './trigger/poll';
import { eventSubtitle, triggerProperties } from './trigger/triggerSettings';

export class CloudScrapingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cloud Scraping Trigger',
		name: 'cloudScrapingTrigger',
		icon: {
			light: 'file:../../icons/cloudScraping.svg',
			dark: 'file:../../icons/cloudScraping.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle,
		// Behind a first node, n8n shows it for both nodes, in one entry with the actions of both.
		description: 'Run scraping tasks and get their rows, or start the workflow when a batch ends',
		defaults: { name: 'Cloud Scraping Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cloudScrapingApi', required: true, testedBy: 'cloudScrapingApiTest' }],
		properties: triggerProperties,
	};

	methods = { credentialTest: { cloudScrapingApiTest } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollEndedBatches.call(this);
	}
}
