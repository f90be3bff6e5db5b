import { vi } from 'vitest';

/**
 * Lets answers for which the node waits less than a minute be given up after 50 ms. The spy says which
 * time-outs were set, and `mockRestore` sets things right again.
 */
export function shortTimeOuts() {
	const timeOut = AbortSignal.timeout.bind(AbortSignal);
	return vi
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((milliseconds) => timeOut(milliseconds < 60_000 ? 50 : milliseconds));
}
