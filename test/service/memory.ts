import { readFileSync } from 'node:fs';
import type { RunningService } from './startService';

/** The memory that a service has now, in MiB (resident set size). */
export function memoryOf({ process: { pid } }: RunningService): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
