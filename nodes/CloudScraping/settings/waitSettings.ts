import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Run } from '../run';
import { chosen, numberIn, optionsOf, parametersOf, yesOrNo } from './fieldValues';
import type { Choice } from './fieldValues';

const timeout: INodeProperties = {
	displayName: 'Timeout (Minutes)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'How long to wait for the run to end',
};

/** How long to wait, in minutes. */
export function timeoutProperty(displayOptions: IDisplayOptions): INodeProperties {
	return { ...timeout, displayOptions };
}

const failOnStopped: INodeProperties = {
	displayName: 'Fail on Stopped',
	name: 'failOnStopped',
	type: 'boolean',
	default: false,
	description: 'Whether it is an error when someone else stops the run',
};

const onTimeout: Choice<WaitSettings['onTimeout']> = {
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
};

const pollInterval: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 5,
	description: 'How often to ask whether the run has ended. Grows up to 60 seconds on long runs.',
};

const stopOnCancel: INodeProperties = {
	displayName: 'Stop on Cancel',
	name: 'stopOnCancel',
	type: 'boolean',
	default: true,
	description:
		'Whether the run is stopped when the execution is cancelled, unless another run of the task goes on',
};

/** Options of waiting for a run to end. */
export const waitOptions: INodeProperties[] = [
	failOnStopped,
	onTimeout,
	pollInterval,
	stopOnCancel,
];

/** How to wait for a run to end. */
export interface WaitSettings {
	/** Milliseconds. */
	timeout: number;
	/** Milliseconds until the first poll; later ones take longer. */
	pollInterval: number;
	onTimeout: 'error' | 'stopAndReturn' | 'return';
	stopOnCancel: boolean;
	failOnStopped: boolean;
}

/** Reads and checks the wait settings; throws before any request when one is invalid. */
export function waitSettings(run: Run): WaitSettings {
	const options = optionsOf(run);
	return {
		timeout: numberIn(parametersOf(run), timeout) * 60_000,
		pollInterval: numberIn(options, pollInterval) * 1_000,
		onTimeout: chosen(options, onTimeout),
		stopOnCancel: yesOrNo(options, stopOnCancel),
		failOnStopped: yesOrNo(options, failOnStopped),
	};
}
