import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Run } from '../run';
import { invalid, oneOf, optionsParameter, yesOrNo } from './parameters';

/** How long to wait, in minutes. */
export function timeoutProperty(displayOptions: IDisplayOptions): INodeProperties {
	return {
		displayName: 'Timeout (Minutes)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 60,
		description: 'How long to wait for the run to end',
		displayOptions,
	};
}

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

const ON_TIMEOUT = ['error', 'stopAndReturn', 'return'] as const;

/** How to wait for a run to end. */
export interface WaitSettings {
	/** Milliseconds. */
	timeout: number;
	/** Milliseconds until the first poll; later ones take longer. */
	pollInterval: number;
	onTimeout: (typeof ON_TIMEOUT)[number];
	stopOnCancel: boolean;
	failOnStopped: boolean;
}

/** Reads and checks the wait settings; throws before any request when one is invalid. */
export function waitSettings(run: Run): WaitSettings {
	const options = optionsParameter(run.context, run.itemIndex);
	const timeout = run.context.getNodeParameter('timeout', run.itemIndex, 60);
	return {
		timeout: atLeastOne(run, timeout, 'Timeout (Minutes)') * 60_000,
		pollInterval: atLeastOne(run, options.pollInterval ?? 5, 'Poll Interval (Seconds)') * 1_000,
		onTimeout: oneOf(run, options.onTimeout ?? 'error', 'On Timeout', ON_TIMEOUT),
		stopOnCancel: yesOrNo(run, options.stopOnCancel ?? true, 'Stop on Cancel'),
		failOnStopped: yesOrNo(run, options.failOnStopped ?? false, 'Fail on Stopped'),
	};
}

function atLeastOne(run: Run, value: unknown, label: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number) && number >= 1) return number;
	throw invalid(run, `${label} must be a number from 1, not ${JSON.stringify(value)}`);
}
