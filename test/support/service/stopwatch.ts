import { readdirSync, readFileSync } from 'node:fs';
import { pid as ownPid } from 'node:process';

/**
 * Starts to measure how long something takes that another process does and this one waits for. What it
 * returns tells the milliseconds so far, without those in which one of them was ready to go on and
 * the machine was busy with others: Linux counts these. Elsewhere it is the time as it passes.
 */
export function stopwatch(pid: number | undefined = ownPid): () => number {
	const start = performance.now();
	const pids = [...new Set([ownPid, pid])];
	const before = pids.map((each) => withheld(each) ?? 0);
	const last = [...before];
	const look = () =>
		pids.forEach((each, index) => (last[index] = withheld(each) ?? last[index] ?? 0));
	// What a process that ends has lost is known for as long as it is there.
	const looking = setInterval(look, 20).unref();
	return () => {
		clearInterval(looking);
		look();
		const lost = last.reduce((sum, each, index) => sum + each - (before[index] ?? 0), 0);
		return performance.now() - start - lost;
	};
}

/** Threads that a main thread waits for: they read files, and collect garbage. */
const helpers = ['libuv-worker', 'V8Worker'];

/** Milliseconds that a process's main thread and its helpers have waited for a processor; undefined when it has ended. */
function withheld(pid: number): number | undefined {
	const tasks = `/proc/${pid}/task`;
	try {
		const waited = readdirSync(tasks).map((task) => {
			const name = readFileSync(`${tasks}/${task}/comm`, 'utf8');
			if (Number(task) !== pid && !helpers.some((helper) => name.startsWith(helper))) return 0;
			return Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[1]);
		});
		return waited.reduce((sum, each) => sum + each, 0) / 1e6;
	} catch {
		// It has ended, or this is no Linux.
		return undefined;
	}
}
