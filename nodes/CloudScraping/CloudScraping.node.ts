import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { cloudScrapingApiTest } from './credentialTest';
import { taskIdProperty } from './settings/taskId';
import { searchBatches } from './listSearch';
import { executeOperations, operations } from './operations/execute';

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
		subtitle:
			'={{ ({ getData: "Get Data", listBatches: "List Batches", runAndGetData: "Run Task and Get Data", start: "Start Task", stop: "Stop Task" })[$parameter["operation"]] }}',
		description: 'Run scraping tasks in the cloud and get their rows',
		defaults: { name: 'Cloud Scraping' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cloudScrapingApi', required: true, testedBy: 'cloudScrapingApiTest' }],
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Get Data',
						value: 'getData',
						description: 'Get the scraped rows of a batch, one item a row',
						action: 'Get the data of a batch',
					},
					{
						name: 'List Batches',
						value: 'listBatches',
						description: 'List the runs of a task with their status and row counts',
						action: 'List the batches of a task',
					},
					{
						name: 'Run Task and Get Data',
						value: 'runAndGetData',
						description: 'Start a run of a task, wait until it has ended, and get its rows',
						action: 'Run a task and get its data',
					},
					{
						name: 'Start Task',
						value: 'start',
						description: 'Start a run of a task and return its new batch at once',
						action: 'Start a task',
					},
					{
						name: 'Stop Task',
						value: 'stop',
						description: 'Stop the running batch of a task and keep its rows so far',
						action: 'Stop a task',
					},
				],
				default: 'getData',
			},
			taskIdProperty,
			...Object.values(operations).flatMap(({ description }) => description),
		],
	};

	methods = {
		credentialTest: { cloudScrapingApiTest },
		listSearch: { searchBatches },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeOperations.call(this);
	}
}
