import type { INodeProperties } from 'n8n-workflow';

export const taskIdProperty: INodeProperties = {
	displayName: 'Task ID',
	name: 'taskId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 5ae7a1a4-6ff5-4e9c-8a32-4c13e54d06e2',
	description: 'Identifier of the scraping task, from the web console of the service',
};
