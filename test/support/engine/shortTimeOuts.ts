import { vi } from 'vitest';

/**
 * Lets answers for which the node waits less than a minute be given up after so many milliseconds: more than
 * an answer takes that is to arrive. The spy says which time-outs were set, and `mockRestore` sets things
 * right again.
 */
export function shortTimeOuts(short = 50) {
	const timeOut = AbortSignal.timeout.bind(AbortSignal);
	return vi
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((milliseconds) => timeOut(milliseconds < 60_000 ? short : milliseconds));
}
