import { readdirSync, readFileSync } from 'node:fs';
import { pid as ownPid } from 'node:process';

/**
 * Starts to measure how long something takes that another process does and this one waits for. What it
 * returns tells the milliseconds so far, without those in which one of them was ready to go on and
 * the machine was busy with others: Linux counts these. Elsewhere it is the time as it passes.
 */
export function stopwatch(pid: number | undefined = ownPid): () => number {
	const start = performance.now();
	const waited = () => new Map([...waitedBy(ownPid), ...waitedBy(pid)]);
	const before = waited();
	const last = new Map<string, number>();
	const look = () => waited().forEach((each, thread) => last.set(thread, each));
	// What threads that end have waited is known for as long as they are there.
	const looking = setInterval(look, 20).unref();
	return () => {
		clearInterval(looking);
		look();
		let lost = 0;
		for (const [thread, each] of last) lost += each - (before.get(thread) ?? 0);
		return performance.now() - start - lost;
	};
}

/** Threads that a main thread waits for: they read files, and collect garbage. */
const helpers = ['libuv-worker', 'V8Worker'];

/** By thread, the main one and its helpers: milliseconds that it has waited for a processor. Empty once the process has ended. */
function waitedBy(pid: number): Map<string, number> {
	const waited = new Map<string, number>();
	const tasks = `/proc/${pid}/task`;
	try {
		for (const task of readdirSync(tasks)) {
			const name = readFileSync(`${tasks}/${task}/comm`, 'utf8');
			if (Number(task) !== pid && !helpers.some((helper) => name.startsWith(helper))) continue;
			const [, wait] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
			waited.set(task, Number(wait) / 1e6);
		}
	} catch {
		// It has ended, or this is no Linux.
	}
	return waited;
}
