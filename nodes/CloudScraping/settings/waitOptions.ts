import type { INodeProperties } from 'n8n-workflow';

/** Options of waiting for a run to end. */
export const waitOptions: INodeProperties[] = [
	{
		displayName: 'Fail on Stopped',
		name: 'failOnStopped',
		type: 'boolean',
		default: false,
		description: 'Whether it is an error when someone else stops the run',
	},
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: [
			{ name: 'Fail and Leave It Running', value: 'error' },
			{ name: 'Return the Rows So Far and Leave It Running', value: 'return' },
			{ name: 'Stop the Task and Return the Rows So Far', value: 'stopAndReturn' },
		],
		default: 'error',
		description: 'What happens when the run takes longer than the timeout',
	},
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollInterval',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5,
		description: 'How often to ask whether the run has ended. Grows up to 60 seconds on long runs.',
	},
	{
		displayName: 'Stop on Cancel',
		name: 'stopOnCancel',
		type: 'boolean',
		default: true,
		description:
			'Whether the run is stopped when the execution is cancelled, unless another run of the task goes on',
	},
];
