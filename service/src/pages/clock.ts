import { setTimeout as sleep } from 'node:timers/promises';

/** By what the agents tell the time between requests, and wait: the machine, or whoever gives another one. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after so many milliseconds; throws the reason of `signal` when that is aborted before. */
	sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};
