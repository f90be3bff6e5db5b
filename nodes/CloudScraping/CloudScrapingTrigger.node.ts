import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { cloudScrapingApiTest } from './credentialTest';
import { byDisplayName, taskIdProperty } from './settings/parameters';
import { triggerRowOptions } from './settings/rowSettings';
import { pollEndedBatches } from './trigger/poll';

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
		subtitle: '={{ "Batch " + $parameter["event"] }}',
		description: 'Starts the workflow when a run of a scraping task has ended',
		defaults: { name: 'Cloud Scraping Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cloudScrapingApi', required: true, testedBy: 'cloudScrapingApiTest' }],
		properties: [
			taskIdProperty,
			{
				displayName: 'Event',
				name: 'event',
				type: 'options',
				options: [
					{ name: 'Batch Finished', value: 'finished', description: 'Successful or stopped' },
					{ name: 'Batch Stopped', value: 'stopped', description: 'Stopped by a user' },
					{ name: 'Batch Successful', value: 'successful', description: 'Ended by itself' },
				],
				default: 'finished',
				description: 'Which ended batches start the workflow. Each does so once.',
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				options: [
					{ name: 'Batch', value: 'batch', description: 'One item a batch' },
					{ name: 'Rows', value: 'rows', description: 'One item a row of the batch' },
				],
				default: 'batch',
				description: 'What the workflow gets',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				displayOptions: { show: { output: ['rows'] } },
				options: byDisplayName(triggerRowOptions),
			},
		],
	};

	methods = { credentialTest: { cloudScrapingApiTest } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollEndedBatches.call(this);
	}
}
