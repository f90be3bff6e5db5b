import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { cloudScrapingApiTest } from './credentialTest';
import { searchBatches } from './listSearch';
import {
	operationProperties,
	operationProperty,
	operationSubtitle,
	resourceProperty,
} from './operations';
import { executeOperations } from './operations/execute';
import { taskIdProperty } from './settings/sharedFields';

export class CloudScraping implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cloud Scraping',
		name: 'cloudScraping',
		icon: {
			light: 'file:../../icons/cloudScraping.svg',
			dark: 'file:../../icons/cloudScraping.dark.svg',
		},
		group: ['input'],
		version: 1,
		subtitle: operationSubtitle,
		description: 'Run scraping tasks in the cloud and get their rows',
		defaults: { name: 'Cloud Scraping' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cloudScrapingApi', required: true, testedBy: 'cloudScrapingApiTest' }],
		properties: [resourceProperty, operationProperty, taskIdProperty, ...operationProperties],
	};

	methods = {
		credentialTest: { cloudScrapingApiTest },
		listSearch: { searchBatches },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeOperations.call(this);
	}
}
