import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const hasProc = existsSync('/proc/self/clear_refs');

/** Lets the peak begin anew at what the process has now. Only Linux can. */
export function resetPeak(): void {
	if (hasProc) writeFileSync('/proc/self/clear_refs', '5');
}

/** Most resident memory since the last reset (elsewhere than on Linux: since the start), in bytes. */
export function peakMemory(): number {
	const peak = hasProc
		? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
		: process.resourceUsage().maxRSS;
	return Number(peak) * 1024;
}
