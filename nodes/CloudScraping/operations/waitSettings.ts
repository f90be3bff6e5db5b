import type { Run } from './operation';
import { invalid, optionsParameter } from './parameters';

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
		onTimeout: onTimeoutOption(run, options.onTimeout ?? 'error'),
		stopOnCancel: options.stopOnCancel !== false,
		failOnStopped: options.failOnStopped === true,
	};
}

function atLeastOne(run: Run, value: unknown, label: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number) && number >= 1) return number;
	throw invalid(run, `${label} must be a number from 1, not ${JSON.stringify(value)}`);
}

function onTimeoutOption(run: Run, value: unknown): WaitSettings['onTimeout'] {
	const known = ON_TIMEOUT.find((name) => name === value);
	if (known) return known;
	throw invalid(
		run,
		`On Timeout must be one of ${ON_TIMEOUT.join(', ')}, not ${JSON.stringify(value)}`,
	);
}
