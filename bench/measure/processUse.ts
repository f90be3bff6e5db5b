import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const millisecondsATick = 10;

/** Milliseconds that a process has kept processors busy, all its threads together. Linux only. */
export function processorMilliseconds(pid: number): number {
	// The name in parentheses may have blanks; user and system time are the 12th and 13th after it.
	const [, afterName] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
	const [user, system] = afterName.split(' ').slice(11, 13);
	return (Number(user) + Number(system)) * millisecondsATick;
}

/** Resident memory of a process in megabytes. Linux only. */
export function residentMegabytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
	return (Number(kibibytes) * 1024) / 1e6;
}
