import { setTimeout as sleep } from 'node:timers/promises';

/** By what the agents tell the time between requests, and wait: the machine, or whoever gives another one. */
export interface Clock {
	/** Milliseconds of a clock that only goes on, whatever becomes of that of the wall: they say how long, not when. */
	now(): number;
	/** Resolves after so many milliseconds; throws the reason of `signal` when that is aborted before. */
	sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: () => performance.now(),
	sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};
