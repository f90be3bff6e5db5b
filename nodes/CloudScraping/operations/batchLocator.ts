import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Which batch to read: the newest finished one, or one by its identifier. */
export function batchProperties(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		{
			displayName: 'Batch',
			name: 'batch',
			type: 'options',
			options: [
				{
					name: 'Latest Finished Batch',
					value: 'latest',
					description: 'The newest run of the task that was successful',
				},
				{
					name: 'Specific Batch',
					value: 'id',
					description: 'One run, chosen from the list or given by its ID',
				},
			],
			default: 'latest',
			description: 'The run of the task to read',
			displayOptions,
		},
		{
			displayName: 'Batch to Read',
			name: 'batchId',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			required: true,
			// Else the list would keep the batches of another task.
			typeOptions: { loadOptionsDependsOn: ['taskId'] },
			description: 'The run to read. Choose from the list, newest first, or give its ID.',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Select a batch...',
					typeOptions: { searchListMethod: 'searchBatches', searchable: true },
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. 1847205612',
					validation: [
						{
							type: 'regex',
							properties: { regex: '\\s*\\d+\\s*', errorMessage: 'A batch ID is a whole number' },
						},
					],
				},
			],
			displayOptions: { show: { ...displayOptions.show, batch: ['id'] } },
		},
	];
}
