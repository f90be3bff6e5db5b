import type { Run } from '../run';
import { invalid, oneOf, optionsParameter, yesOrNo } from './parameters';

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
