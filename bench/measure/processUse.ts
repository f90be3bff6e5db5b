import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const millisecondsATick = 10;

/** Milliseconds that a process has kept processors busy, all its threads together. Linux only. */
export function processorMilliseconds(pid: number): number {
	const { user, system } = statOf(pid);
	return (user + system) * millisecondsATick;
}

/** The same of a process and its children, those that have ended among them: a PostgreSQL has one for each connection. */
export function familyMilliseconds(pid: number): number {
	const { user, system, childrenUser, childrenSystem } = statOf(pid);
	const children = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => statUnlessEnded(Number(name)))
		.filter(({ parent }) => parent === pid);
	return children.reduce(
		(sum, child) => sum + (child.user + child.system) * millisecondsATick,
		(user + system + childrenUser + childrenSystem) * millisecondsATick,
	);
}

function statUnlessEnded(pid: number) {
	try {
		return [statOf(pid)];
	} catch {
		return [];
	}
}

function statOf(pid: number) {
	// The name in parentheses may have blanks; the state is the first one after it.
	const [, afterName] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\w )/);
	const fields = afterName.split(' ').map(Number);
	const [parent] = fields.slice(1);
	const [user, system, childrenUser, childrenSystem] = fields.slice(11);
	return { parent, user, system, childrenUser, childrenSystem };
}

/** Resident memory of a process in megabytes. Linux only. */
export function residentMegabytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
	return (Number(kibibytes) * 1024) / 1e6;
}
