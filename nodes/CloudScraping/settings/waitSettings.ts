import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Run } from '../run';
import { budgetOptions, budgetsIn } from './budgets';
import type { Budget } from './budgets';
import { chosen, numberIn, optionsOf, parametersOf, yesOrNo } from './fieldValues';
import type { Choice, Entered } from './fieldValues';

const timeout: INodeProperties = {
	displayName: 'Timeout (Minutes)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'How long to wait for the batch to end',
};

/** How long to wait, in minutes. */
export function timeoutProperty(displayOptions: IDisplayOptions): INodeProperties {
	return { ...timeout, displayOptions };
}

const failOnStopped: INodeProperties = {
	displayName: 'Fail If Stopped by Someone Else',
	name: 'failOnStopped',
	type: 'boolean',
	default: false,
	description: 'Whether to fail when someone else stops the batch',
};

/** By which hints name the option. */
export const failOnStoppedName = failOnStopped.displayName;

const onTimeout: Choice<Exclude<WaitSettings['onTimeout'], 'askAgain'>> = {
	displayName: 'On Timeout',
	name: 'onTimeout',
	type: 'options',
	options: [
		{ name: 'Fail and Leave It Running', value: 'error' },
		{ name: 'Return the Rows So Far and Leave It Running', value: 'return' },
		{ name: 'Stop the Task and Return the Rows So Far', value: 'stopAndReturn' },
	],
	default: 'error',
	description: 'What to do when the batch takes longer than the timeout',
};

const pollInterval: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 5,
	description:
		'How often to check whether the batch has ended. Grows to up to 60 seconds for long batches.',
};

const stopOnCancel: INodeProperties = {
	displayName: 'Stop on Cancel',
	name: 'stopOnCancel',
	type: 'boolean',
	default: true,
	description:
		'Whether to stop the task when the execution is cancelled, unless another of its batches is running',
};

/** Options of waiting for the batch that the node has started. */
export const runOptions: INodeProperties[] = [
	failOnStopped,
	onTimeout,
	pollInterval,
	stopOnCancel,
	...budgetOptions,
];

const waitForEnd: INodeProperties = {
	displayName: 'Wait for Batch to End',
	name: 'waitForEnd',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until the batch has ended before reading it. The batches of all input items are waited for at the same time.',
	displayOptions: { show: { '/batch': ['id'] } },
};

/** Options of waiting for a batch that is read by its ID. */
export const batchWaitOptions: INodeProperties[] = [
	waitForEnd,
	...[timeout, pollInterval, ...budgetOptions].map((property) => ({
		...property,
		displayOptions: { show: { '/batch': ['id'], waitForEnd: [true] } },
	})),
];

/**
 * Seconds that the agent waits whose tool the node is: people wait for its answer, and proxies cut
 * connections off that say nothing for 100 seconds. It can ask again.
 */
const agentPatience = 90;

/** How to wait for a batch to end. */
export interface WaitSettings {
	/** Whether the node has started it. */
	isOwn: boolean;
	/** Milliseconds. */
	timeout: number;
	/** Milliseconds between polls, but for the first ones; later ones take longer. */
	pollInterval: number;
	/** `askAgain`: an agent is told how. */
	onTimeout: 'error' | 'stopAndReturn' | 'return' | 'askAgain';
	stopOnCancel: boolean;
	failOnStopped: boolean;
	budgets: Budget[];
}

/** How to wait for the batch that the node starts; throws before any request when a setting is invalid. */
export function runWaitSettings(run: Run): WaitSettings {
	const options = optionsOf(run);
	return boundedForAgent(run, {
		...commonSettings(parametersOf(run), options),
		isOwn: true,
		onTimeout: chosen(options, onTimeout),
		stopOnCancel: yesOrNo(options, stopOnCancel),
		failOnStopped: yesOrNo(options, failOnStopped),
	});
}

/** The same for a batch that is read by its ID; undefined where it is not to be waited for. */
export function batchWaitSettings(run: Run): WaitSettings | undefined {
	const options = optionsOf(run);
	if (!yesOrNo(options, waitForEnd)) return undefined;
	return boundedForAgent(run, {
		...commonSettings(options, options),
		isOwn: false,
		onTimeout: 'error',
		stopOnCancel: false,
		failOnStopped: false,
	});
}

function commonSettings(
	ofTimeout: Entered,
	options: Entered,
): Pick<WaitSettings, 'timeout' | 'pollInterval' | 'budgets'> {
	return {
		timeout: numberIn(ofTimeout, timeout) * 60_000,
		pollInterval: numberIn(options, pollInterval) * 1_000,
		budgets: budgetsIn(options),
	};
}

/**
 * An agent is not kept waiting as long as a workflow, and fails nothing when the time is up; unless the
 * batch is to be stopped at a time or a budget: that needs somebody who waits.
 */
function boundedForAgent({ isTool }: Run, settings: WaitSettings): WaitSettings {
	const { onTimeout: wanted, budgets } = settings;
	if (!isTool || wanted === 'stopAndReturn') return settings;
	const maxTimeout = budgets.length > 0 ? Infinity : agentPatience * 1_000;
	if (settings.timeout <= maxTimeout && wanted !== 'error') return settings;
	return { ...settings, timeout: Math.min(settings.timeout, maxTimeout), onTimeout: 'askAgain' };
}
